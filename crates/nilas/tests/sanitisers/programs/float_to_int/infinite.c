// good: 9e18
// bad: 1e300 * 1e300
// kind: float-to-int-overflow
#include <stdio.h>

int main(void) {
    double d = N;
    printf("%lld\n", (long long)d);
    return 0;
}
