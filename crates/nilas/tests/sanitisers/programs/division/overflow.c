// good: 1
// bad: -1
// kind: division-overflow
#include <stdio.h>

#include <limits.h>
int main(void) {
    int x = INT_MIN, d = N;
    printf("%d\n", x / d);
    return 0;
}
