// good: 46340
// bad: 46341
// kind: signed-overflow
#include <stdio.h>

int main(void) {
    int x = N;
    printf("%d\n", x * x);
    return 0;
}
