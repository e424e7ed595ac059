// property: signed-overflow
// good: 2147483646
// bad: 2147483647
#include <stddef.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > N) return 0;
    return x + 1 > 0;
}
