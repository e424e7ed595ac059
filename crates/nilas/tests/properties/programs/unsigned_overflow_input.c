// property: unsigned-overflow
// good: 1
// bad: 0
#include <stddef.h>
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    if (x < N) return 0;
    return x - 1 > 5;
}
