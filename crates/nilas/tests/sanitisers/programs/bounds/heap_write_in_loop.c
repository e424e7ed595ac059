// good: 4
// bad: 5
// kind: out-of-bounds-write
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *a = malloc(4 * sizeof *a);
    for (int i = 0; i < N; i++)
        a[i] = i;
    printf("%d\n", a[3]);
    free(a);
    return 0;
}
