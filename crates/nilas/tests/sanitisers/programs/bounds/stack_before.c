// good: 0
// bad: -1
// kind: out-of-bounds-read
#include <stdio.h>

int main(void) {
    int a[3] = {1, 2, 3};
    int *p = a;
    int i = N;
    printf("%d\n", p[i]);
    return 0;
}
