// good: 0
// bad: 2
// kind: signed-overflow
#include <stdio.h>

#include <limits.h>
int main(void) {
    int x = INT_MIN + 1, y = N;
    printf("%d\n", x - y);
    return 0;
}
