// never: safe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int a, b;
int main(void) { union { int *p; unsigned long u; } x; x.p = __VERIFIER_nondet_int() ? &a : &b; union { unsigned long u; int *p; } y; y.u = x.u; *y.p = 4; if (a == 4) reach_error(); return 0; }
