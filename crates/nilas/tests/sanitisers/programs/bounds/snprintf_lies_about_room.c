// good: 4
// bad: 6
// kind: out-of-bounds-write
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *a = malloc(4);
    snprintf(a, N, "%d", 12345);
    printf("%.3s\n", a);
    free(a);
    return 0;
}
