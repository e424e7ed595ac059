// An allocator of pages by a bitmap: the first page of a run is found one too early.
#include <assert.h>
#include <stdint.h>

#define PAGES 64
#define WORD 32

static uint32_t map[PAGES / WORD];

#define SET(i) (map[(i) / WORD] |= 1u << ((i) % WORD))
#define TEST(i) ((map[(i) / WORD] >> ((i) % WORD)) & 1u)

static int find_run(unsigned n) {
    unsigned run = 0;
    for (unsigned i = 0; i < PAGES; i++) {
        run = TEST(i) ? 0 : run + 1;
        if (run == n) {
            return (int)(i - n);
        }
    }
    return -1;
}

static int page_alloc(unsigned n) {
    int at = find_run(n);
    if (at < 0) {
        return -1;
    }
    for (unsigned i = 0; i < n; i++) {
        SET(at + i);
    }
    return at;
}

int main(void) {
    int a = page_alloc(3);
    assert(a == 0);
    int b = page_alloc(5);
    assert(b == 3);
    return 0;
}
