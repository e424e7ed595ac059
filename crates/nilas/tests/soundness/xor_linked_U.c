// never: safe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int a, b;
int main(void) { unsigned long x = (unsigned long)&a ^ (unsigned long)&b; int *p = (int *)(x ^ (unsigned long)(__VERIFIER_nondet_int() ? &a : &b)); *p = 3; if (b == 3) reach_error(); return 0; }
