// good: 0
// bad: 1
// kind: use-after-free
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(sizeof *p);
    *p = 5;
    int *q = realloc(p, 1000 * sizeof *q);
    printf("%d\n", N ? *p : *q);
    free(q);
    return 0;
}
