// good: 8
// bad: 0
// kind: open-result
// options: strict
#include <stdio.h>

int main(void) {
    unsigned long long n = N;
    printf("%d\n", __builtin_ctzll(n));
    return 0;
}
