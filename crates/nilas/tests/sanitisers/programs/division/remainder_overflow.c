// good: 1
// bad: -1
// kind: division-overflow
#include <stdio.h>

#include <limits.h>
int main(void) {
    long long x = LLONG_MIN, d = N;
    printf("%lld\n", x % d);
    return 0;
}
