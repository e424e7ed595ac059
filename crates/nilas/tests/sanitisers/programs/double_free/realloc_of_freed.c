// good: 0
// bad: 1
// kind: double-free
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *p = malloc(10);
    if (N) free(p);
    p = realloc(p, 20);
    free(p);
    printf("done\n");
    return 0;
}
