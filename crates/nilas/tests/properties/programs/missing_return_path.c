// property: missing-return
// good: 1
// bad: 0
#include <stddef.h>
int __VERIFIER_nondet_int(void);
int f(int x) { if (x > 0 || N) return 1; }
int main(void) { return f(__VERIFIER_nondet_int()) == 2; }
