// property: shift
// good: 31
// bad: 32
#include <stddef.h>
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned d = __VERIFIER_nondet_uint();
    if (d > N) return 0;
    return (int)(1u << d);
}
