// Fixed point numbers with eight fractional bits: the product is rounded in 16 bits.
#include <assert.h>
#include <stdint.h>

typedef int16_t q8_8;

static q8_8 multiply(q8_8 a, q8_8 b) {
    int16_t product = (int16_t)(a * b);
    return (q8_8)(product >> 8);
}

extern short __VERIFIER_nondet_short(void);

int main(void) {
    q8_8 gain = __VERIFIER_nondet_short();
    q8_8 level = 3 << 8;
    if (gain < 0 || gain > 2 << 8) {
        return 0;
    }
    q8_8 output = multiply(gain, level);
    assert(output >= 0);
    assert(output == gain * 3);
    return 0;
}
