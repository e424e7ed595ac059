// good: 127.9
// bad: 200.0
// kind: float-to-int-overflow
#include <stdio.h>

int main(void) {
    float f = N;
    signed char c = f;
    printf("%d\n", c);
    return 0;
}
