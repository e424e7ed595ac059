// good: 3
// bad: 4
// kind: out-of-bounds-read
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *a = calloc(4, 1);
    for (int i = 0; i < N; i++)
        a[i] = 'x';
    printf("%d\n", (int)strlen(a));
    free(a);
    return 0;
}
