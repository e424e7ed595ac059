// property: division
// good: 1
// bad: 0
#include <stddef.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int d = __VERIFIER_nondet_int();
    if (d < N) return 0;
    return 100 / d;
}
