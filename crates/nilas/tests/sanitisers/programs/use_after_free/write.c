// good: 0
// bad: 1
// kind: use-after-free
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    if (N) free(p);
    *p = 3;
    printf("%d\n", 3);
    if (!N) free(p);
    return 0;
}
