// good: 0
// bad: 1
// kind: null-dereference
#include <stdio.h>

int main(void) {
    int x = 3;
    int *p = N ? 0 : &x;
    *p = 4;
    printf("%d\n", x);
    return 0;
}
