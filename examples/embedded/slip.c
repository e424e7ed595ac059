// A decoder of SLIP frames: an escaped byte is stored without a look at the room that is left, over the length.
#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

enum { END = 0xC0, ESC = 0xDB, ESC_END = 0xDC, ESC_ESC = 0xDD };

#define MTU 6

typedef struct {
    uint8_t buf[MTU];
    uint8_t len;
    bool esc;
} slip_t;

static int slip_rx(slip_t *s, uint8_t b) {
    if (b == END) {
        int n = s->len;
        s->len = 0;
        s->esc = false;
        return n;
    }
    if (s->esc) {
        s->esc = false;
        s->buf[s->len++] = b == ESC_END ? END : b == ESC_ESC ? ESC : b;
    } else if (b == ESC) {
        s->esc = true;
    } else if (s->len < MTU) {
        s->buf[s->len++] = b;
    }
    return 0;
}

extern uint8_t __VERIFIER_nondet_uchar(void);

int main(void) {
    slip_t s = {.len = 0};
    for (;;) {
        slip_rx(&s, __VERIFIER_nondet_uchar());
        assert(s.len <= MTU);
    }
}
