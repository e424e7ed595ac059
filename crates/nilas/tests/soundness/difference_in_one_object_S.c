// expect: safe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int a[5];
int main(void) { int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int(); if (i < 0 || i > 4 || j < 0 || j > 4) return 0; if (&a[i] - &a[j] != i - j) reach_error(); return 0; }
