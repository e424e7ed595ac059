// good: 2147483000.0
// bad: 3000000000.0
// kind: float-to-int-overflow
#include <stdio.h>

int main(void) {
    double d = N;
    printf("%d\n", (int)d);
    return 0;
}
