// good: 0
// bad: 1
// kind: null-dereference
#include <stdio.h>

int main(void) {
    int x = 3;
    int *p = N ? 0 : &x;
    printf("%d\n", *p);
    return 0;
}
