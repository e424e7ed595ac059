// good: -0.5
// bad: -1.5
// kind: float-to-int-overflow
#include <stdio.h>

int main(void) {
    float f = N;
    printf("%u\n", (unsigned)f);
    return 0;
}
