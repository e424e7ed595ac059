// good: 1
// bad: 0
// kind: unreachable-reached
#include <stdio.h>

int main(void) {
    int n = N;
    if (!n) __builtin_unreachable();
    printf("%d\n", n);
    return 0;
}
