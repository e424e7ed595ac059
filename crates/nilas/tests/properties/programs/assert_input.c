// property: assert
// good: 1
// bad: 0
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > 10 || x < -10) return 0;
    assert(x * x <= 100 * N + 99);
    return 0;
}
