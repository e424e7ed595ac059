// good: 4
// bad: 5
// kind: out-of-bounds-write
#include <stdio.h>

int main(void) {
    int numbers[5] = {0};
    int *a = numbers;
    int i = N;
    a[i] = 7;
    printf("%d\n", a[4]);
    return 0;
}
