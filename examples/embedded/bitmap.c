// An allocator of blocks by a bitmap: the last block of a word is given away twice.
#include <assert.h>
#include <stdint.h>

#define BLOCKS 8

static uint8_t used;

static int block_get(void) {
    for (int i = 0; i < BLOCKS; i++) {
        if ((used & (1u << i)) == 0) {
            if (i < BLOCKS - 1) {
                used |= (uint8_t)(1u << i);
            }
            return i;
        }
    }
    return -1;
}

static void block_put(int block) {
    assert(used & (1u << block));
    used &= (uint8_t)~(1u << block);
}

int main(void) {
    int block = -1;
    for (int i = 0; i < BLOCKS; i++) {
        block = block_get();
        assert(block >= 0);
    }
    block_put(block);
    return 0;
}
