// property: signed-overflow
// good: 2
// bad: 1
// options: --function middle
#include <stddef.h>
int middle(unsigned char a, int b) {
    return N == 2 ? a + (b & 255) : a + b;
}
