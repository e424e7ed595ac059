// good: 4
// bad: 1
// kind: misaligned-access
// options: strict
#include <stdio.h>

int main(void) {
    int a[3] = {1, 2, 3};
    char *bytes = (char *)a;
    int *p = (int *)(bytes + N);
    printf("%d\n", *p != 77);
    return 0;
}
