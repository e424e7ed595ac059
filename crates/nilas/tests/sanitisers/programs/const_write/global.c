// good: 0
// bad: 1
// kind: const-write
#include <stdio.h>

static const int fixed = 3;
static int other = 3;
int main(void) {
    int *p = N ? (int *)&fixed : &other;
    *p = 4;
    printf("%d\n", *p);
    return 0;
}
