// never: safe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int a, b;
int main(void) { unsigned long u = (unsigned long)(__VERIFIER_nondet_int() ? &a : &b); unsigned lo = u, hi = u >> 16 >> 16; int *p = (int *)((unsigned long)hi << 16 << 16 | lo); *p = 2; if (a == 2) reach_error(); return 0; }
