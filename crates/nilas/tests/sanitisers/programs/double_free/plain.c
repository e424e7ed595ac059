// good: 0
// bad: 1
// kind: double-free
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int *p = malloc(4);
    free(p);
    if (N) free(p);
    printf("done\n");
    return 0;
}
