// good: 4
// bad: 9
// kind: pointer-arithmetic
// options: strict
// differs: sanitisers silent: the pointer is never used, and it does not wrap around
#include <stdio.h>

int main(void) {
    int numbers[4] = {0};
    int *a = numbers;
    int *p = a + N;
    printf("%d\n", p != a);
    return 0;
}
