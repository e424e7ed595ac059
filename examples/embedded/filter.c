// A moving average of the last four samples: the sum is kept in the type of a sample.
#include <assert.h>
#include <stdint.h>

#define TAPS 4

static struct {
    uint16_t samples[TAPS];
    uint16_t sum;
    unsigned next;
} filter;

static uint16_t filtered(uint16_t sample) {
    filter.sum = (uint16_t)(filter.sum - filter.samples[filter.next] + sample);
    filter.samples[filter.next] = sample;
    filter.next = (filter.next + 1) % TAPS;
    return filter.sum / TAPS;
}

extern uint16_t __VERIFIER_nondet_ushort(void);

int main(void) {
    uint16_t average = 0;
    for (int i = 0; i < TAPS; i++) {
        uint16_t sample = __VERIFIER_nondet_ushort();
        if (sample < 20000) {
            return 0;
        }
        average = filtered(sample);
    }
    assert(average >= 20000);
    return 0;
}
