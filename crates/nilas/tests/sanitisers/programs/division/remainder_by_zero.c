// good: 3
// bad: 0
// kind: division-by-zero
#include <stdio.h>

int main(void) {
    unsigned d = N;
    printf("%u\n", 10u % d);
    return 0;
}
