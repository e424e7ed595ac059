// good: 2
// bad: 0
// kind: division-by-zero
#include <stdio.h>

int main(void) {
    int d = N;
    printf("%d\n", 10 / d);
    return 0;
}
