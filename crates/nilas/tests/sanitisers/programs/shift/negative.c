// good: 0
// bad: -1
// kind: shift-too-far
#include <stdio.h>

int main(void) {
    int x = 1, by = N;
    printf("%d\n", x << by);
    return 0;
}
