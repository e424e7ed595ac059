// good: 0
// bad: 1
// kind: double-free
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *p = malloc(10), *q = N ? p : malloc(10);
    free(p);
    free(q);
    printf("done\n");
    return 0;
}
