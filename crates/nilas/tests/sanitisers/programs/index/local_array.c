// good: 4
// bad: 5
// kind: index-out-of-array
#include <stdio.h>

int main(void) {
    int a[5] = {1, 2, 3, 4, 5};
    int i = N;
    printf("%d\n", a[i]);
    return 0;
}
