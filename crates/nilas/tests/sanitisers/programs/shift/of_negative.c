// good: 1
// bad: -1
// kind: shift-overflow
#include <stdio.h>

int main(void) {
    int x = N;
    printf("%d\n", x << 3);
    return 0;
}
