// good: 63
// bad: 64
// kind: shift-too-far
#include <stdio.h>

int main(void) {
    unsigned long long x = ~0ull;
    int by = N;
    printf("%llu\n", x >> by);
    return 0;
}
