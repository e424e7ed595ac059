// good: 1
// bad: 3
// kind: out-of-bounds-read
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *a = calloc(4, sizeof *a);
    a = realloc(a, 2 * sizeof *a);
    int i = N;
    printf("%d\n", a[i]);
    free(a);
    return 0;
}
