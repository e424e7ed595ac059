// expect: unsafe
// options: --check-undefined
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) { int a = __VERIFIER_nondet_int(); if (a == 0) return 0; return (-2147483647 - 1) % a; }
