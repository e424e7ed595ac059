// property: assert
// good: 1
// bad: 0
// options: --function area
#include <assert.h>
struct box { unsigned char w, h; int *count; };
int area(struct box b) {
    if (b.count && N) *b.count = 0;
    assert(b.w * b.h <= 65025);
    assert(N || b.w < 255 || b.count == 0);
    return b.w * b.h;
}
