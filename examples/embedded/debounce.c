// A debouncer: a button counts as pressed after three equal samples, and the counter is never reset.
#include <assert.h>
#include <stdbool.h>

typedef struct {
    bool pressed;
    unsigned char same;
} button_t;

static button_t button;

static void sample(button_t *b, bool level) {
    if (level) {
        b->same++;
    }
    if (b->same >= 3) {
        b->pressed = true;
    }
}

extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    unsigned char run = 0;
    for (int i = 0; i < 5; i++) {
        bool level = __VERIFIER_nondet_bool();
        run = level ? run + 1 : 0;
        sample(&button, level);
        assert(!button.pressed || run >= 3);
    }
    return 0;
}
