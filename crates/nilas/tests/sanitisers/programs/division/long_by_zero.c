// good: 7
// bad: 0
// kind: division-by-zero
#include <stdio.h>

int main(void) {
    long long d = N;
    d = 100 / d;
    printf("%lld\n", d);
    return 0;
}
