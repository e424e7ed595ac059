// property: shift
// good: 30
// bad: 31
#include <stddef.h>
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned d = __VERIFIER_nondet_uint();
    if (d > N) return 0;
    return 1 << d;
}
