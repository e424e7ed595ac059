// never: safe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int a, b;
int main(void) { int *p = __VERIFIER_nondet_int() ? &a : &b; unsigned char k[sizeof p]; for (unsigned i = 0; i < sizeof p; i++) k[i] = ((unsigned char *)&p)[i] + 1; int *q; for (unsigned i = 0; i < sizeof p; i++) ((unsigned char *)&q)[i] = k[i] - 1; *q = 3; if (b == 3) reach_error(); return 0; }
