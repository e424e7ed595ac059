// expect: unsafe
// options: --check-undefined
extern int __VERIFIER_nondet_int(void);
int main(void) { if (__VERIFIER_nondet_int() == 7) __builtin_unreachable(); return 0; }
