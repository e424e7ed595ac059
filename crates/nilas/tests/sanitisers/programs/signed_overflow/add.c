// good: 1
// bad: 2
// kind: signed-overflow
#include <stdio.h>

#include <limits.h>
int main(void) {
    int x = INT_MAX - 1, y = N;
    printf("%d\n", x + y);
    return 0;
}
