// good: 1
// bad: 0
// kind: signed-overflow
#include <stdio.h>

#include <limits.h>
int main(void) {
    long long x = LLONG_MAX - N;
    x++;
    printf("%lld\n", x);
    return 0;
}
