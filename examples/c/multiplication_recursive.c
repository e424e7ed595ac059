// expect: safe
// expect[run, icp, icp-bmc, icp-ic3, states, classes]: unknown
//
// Multiplication by repeated addition: recursion stays a procedure, whatever its depth. The inputs are small enough that
// no product wraps around.
#include <assert.h>

extern unsigned char __VERIFIER_nondet_uchar(void);

static unsigned multiply(unsigned a, unsigned b) {
    return b == 0 ? 0 : a + multiply(a, b - 1);
}

int main(void) {
    unsigned a = __VERIFIER_nondet_uchar(), b = __VERIFIER_nondet_uchar();
    if (a <= 6 && b <= 5) {
        unsigned product = multiply(a, b);
        assert(product <= 30);
        assert(a == 0 || b == 0 || product >= a);
    }
    return 0;
}
