// A binary search in a table of calibration points: the middle of large bounds overflows its type.
#include <assert.h>
#include <stdint.h>

extern uint8_t __VERIFIER_nondet_uchar(void);

int main(void) {
    uint8_t low = __VERIFIER_nondet_uchar(), high = __VERIFIER_nondet_uchar();
    if (low > high) {
        return 0;
    }
    while (low < high) {
        uint8_t middle = (uint8_t)(low + high) / 2;
        assert(low <= middle && middle < high);
        if (__VERIFIER_nondet_uchar() > 127) {
            low = (uint8_t)(middle + 1);
        } else {
            high = middle;
        }
    }
    return low;
}
