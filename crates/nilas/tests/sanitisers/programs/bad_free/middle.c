// good: 0
// bad: 4
// kind: invalid-free
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *p = malloc(10);
    free(p + N);
    printf("done\n");
    return 0;
}
