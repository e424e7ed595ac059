// good: 7
// bad: 40
// kind: shift-too-far
#include <stdio.h>

int main(void) {
    int x = 1024, by = N;
    x >>= by;
    printf("%d\n", x);
    return 0;
}
