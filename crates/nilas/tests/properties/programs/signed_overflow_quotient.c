// property: signed-overflow
// good: 2
// bad: -1
#include <stddef.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    return (x / N) & 1;
}
