// good: 0
// bad: 1
// kind: const-write
// differs: sanitisers silent: a local object lies on the stack, which is writable
#include <stdio.h>

int main(void) {
    const int fixed = 3;
    int other = 3;
    int *p = N ? (int *)&fixed : &other;
    *p = 4;
    printf("%d\n", *p);
    return 0;
}
