// good: 0
// bad: 1
// kind: pointer-difference
// options: strict
#include <stdio.h>

int a[2], b[2];
int main(void) {
    int *p = a, *q = N ? b : a + 1;
    printf("%d\n", (q - p) != 100);
    return 0;
}
