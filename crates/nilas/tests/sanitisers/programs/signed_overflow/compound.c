// good: 5
// bad: 100
// kind: signed-overflow
#include <stdio.h>

int main(void) {
    int x = 100000000;
    x *= N;
    printf("%d\n", x);
    return 0;
}
