// good: 1
// bad: 0
// kind: open-result
// options: strict
#include <stdio.h>

int main(void) {
    unsigned n = N;
    printf("%d\n", __builtin_clz(n));
    return 0;
}
