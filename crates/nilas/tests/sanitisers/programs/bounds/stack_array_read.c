// good: 4
// bad: 5
// kind: out-of-bounds-read
#include <stdio.h>

int main(void) {
    int numbers[5] = {1, 2, 3, 4, 5};
    int *a = numbers;
    int i = N;
    printf("%d\n", a[i]);
    return 0;
}
