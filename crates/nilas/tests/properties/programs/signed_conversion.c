// property: signed-conversion
// good: 127
// bad: 128
#include <stddef.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > N) return 0;
    signed char c = x;
    return c;
}
