// good: 8
// bad: 2
// kind: misaligned-access
// options: strict
#include <stdio.h>

int main(void) {
    long long a[2] = {0, 0};
    long long *p = (long long *)((char *)a + N);
    *p = 1;
    printf("done\n");
    return 0;
}
