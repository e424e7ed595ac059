// good: 1
// bad: 3
// kind: shift-overflow
#include <stdio.h>

int main(void) {
    int x = N;
    printf("%d\n", x << 30);
    return 0;
}
