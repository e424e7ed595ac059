// good: 0
// bad: 1
// kind: invalid-free
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int local = 0;
    int *p = N ? &local : malloc(4);
    free(p);
    printf("%d\n", local);
    return 0;
}
