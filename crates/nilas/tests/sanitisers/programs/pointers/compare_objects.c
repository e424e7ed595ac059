// good: 0
// bad: 1
// kind: pointer-comparison
// options: strict
#include <stdio.h>

int a[2], b[2];
int main(void) {
    int *p = a, *q = N ? b : a + 1;
    printf("%d\n", (p < q) + 1 > 0);
    return 0;
}
