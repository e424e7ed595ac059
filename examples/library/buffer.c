/* A library without `main`: each function is checked alone, with `--function`. */
#include <assert.h>
#include <stddef.h>

struct buffer {
    size_t used;
    unsigned char data[8];
};

/* Appends up to `n` bytes, and says how many there was room for. */
size_t append(struct buffer *to, const unsigned char *from, size_t n) {
    size_t done = 0;
    while (done < n && to->used < sizeof to->data) {
        to->data[to->used] = from[done];
        to->used++;
        done++;
    }
    return done;
}

/* How `append` is meant to be used: as many bytes as it is told, and a buffer that is not broken. */
void check_append(struct buffer *to, unsigned char a, unsigned char b) {
    unsigned char bytes[2] = { a, b };
    size_t before = to->used;
    if (before > sizeof to->data) return;
    size_t done = append(to, bytes, sizeof bytes);
    assert(to->used == before + done);
    assert(done == 0 || to->data[before] == a);
}
