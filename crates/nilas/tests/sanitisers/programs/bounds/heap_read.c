// good: 7
// bad: 8
// kind: out-of-bounds-read
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *a = calloc(8, 1);
    int i = N;
    printf("%d\n", a[i]);
    free(a);
    return 0;
}
