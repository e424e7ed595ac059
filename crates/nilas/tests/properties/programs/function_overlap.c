// property: assert
// good: 1
// bad: 0
// options: --function shift --pointer-size 2 --pointer-null no
#include <assert.h>
/* Both point into an array of two, perhaps the same one: one may be the next element of the other. */
void shift(char *a, char *b) {
    *a = 1;
    *b = 2;
    assert(*a == 1 || a == b);
    assert(N || a + 1 != b || *a == *b);
}
