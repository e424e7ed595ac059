// Signals in a CAN frame: bits are set and never cleared, so that the frame before shows through.
#include <assert.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    uint32_t id : 29;
    uint32_t extended : 1;
    uint32_t fresh : 1;
    uint8_t length;
    uint8_t data[8];
    char name[8];
} frame_t;

static void put(frame_t *f, unsigned start, unsigned width, uint32_t value) {
    for (unsigned i = 0; i < width; i++) {
        if (value >> i & 1u) {
            f->data[(start + i) / 8] |= (uint8_t)(1u << (start + i) % 8);
        }
    }
    f->fresh = 1;
    if ((start + width + 7) / 8 > f->length) {
        f->length = (uint8_t)((start + width + 7) / 8);
    }
}

static uint32_t get(const frame_t *f, unsigned start, unsigned width) {
    uint32_t value = 0;
    for (unsigned i = 0; i < width; i++) {
        value |= (uint32_t)(f->data[(start + i) / 8] >> (start + i) % 8 & 1u) << i;
    }
    return value;
}

extern uint8_t __VERIFIER_nondet_uchar(void);

int main(void) {
    frame_t f = {.id = 0x18F00400, .extended = 1};
    strcpy(f.name, "engine");
    for (int cycle = 0; cycle < 2; cycle++) {
        uint32_t gear = __VERIFIER_nondet_uchar() & 7;
        put(&f, 6, 3, gear);
        assert(f.length == 2 && strlen(f.name) < sizeof f.name);
        assert(get(&f, 6, 3) == gear);
        f.fresh = 0;
    }
    return 0;
}
