// A ring buffer of a UART driver: the test for "full" compares with the wrong number.
#include <assert.h>
#include <stdint.h>

#define RB_SIZE 4

typedef struct {
    uint8_t data[RB_SIZE];
    unsigned head, tail, count;
} ring_t;

static ring_t rx;

static int rb_put(ring_t *rb, uint8_t byte) {
    if (rb->count > RB_SIZE) {
        return 0;
    }
    rb->data[rb->head] = byte;
    rb->head = (rb->head + 1) % RB_SIZE;
    rb->count++;
    return 1;
}

static unsigned rb_count(const ring_t *rb) { return rb->count; }

extern uint8_t __VERIFIER_nondet_uchar(void);

int main(void) {
    for (int i = 0; i < 6; i++) {
        rb_put(&rx, __VERIFIER_nondet_uchar());
        assert(rb_count(&rx) <= RB_SIZE);
    }
    return 0;
}
