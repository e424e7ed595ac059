// never: safe
// options: --check-undefined
extern double __VERIFIER_nondet_double(void);
int main(void) { double d = __VERIFIER_nondet_double(); if (d > 1e9 && d < 3e9) return (int)d; return 0; }
