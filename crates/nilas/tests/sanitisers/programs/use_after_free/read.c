// good: 0
// bad: 1
// kind: use-after-free
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    *p = 3;
    if (N) free(p);
    printf("%d\n", *p);
    if (!N) free(p);
    return 0;
}
