// good: 31
// bad: 32
// kind: shift-too-far
#include <stdio.h>

int main(void) {
    unsigned x = 1;
    int by = N;
    printf("%u\n", x << by);
    return 0;
}
