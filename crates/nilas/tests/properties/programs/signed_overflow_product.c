// property: signed-overflow
// good: 46340
// bad: 46341
#include <stddef.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x > N || x < 0) return 0;
    return x * x > 0;
}
