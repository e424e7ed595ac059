// expect: unsafe
// options: --check-undefined
extern int __VERIFIER_nondet_int(void);
int a[3][3];
int main(void) { return a[0][3 + (__VERIFIER_nondet_int() & 1)]; }
