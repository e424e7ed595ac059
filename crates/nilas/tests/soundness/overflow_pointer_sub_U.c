// never: safe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int x, y;
int main(void) { unsigned long u; __builtin_sub_overflow((unsigned long)(__VERIFIER_nondet_int() ? &x : &y), 0ul, &u); *(int *)u = 7; if (x == 7) reach_error(); return 0; }
