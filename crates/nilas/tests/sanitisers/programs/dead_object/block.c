// good: 0
// bad: 1
// kind: dead-object
#include <stdio.h>

int main(void) {
    int outer = 1;
    int *p = &outer;
    {
        int inner = 2;
        if (N) p = &inner;
    }
    printf("%d\n", *p);
    return 0;
}
