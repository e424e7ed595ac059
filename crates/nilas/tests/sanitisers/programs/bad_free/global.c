// good: 0
// bad: 1
// kind: invalid-free
#include <stdio.h>
#include <stdlib.h>

static char buffer[16];
int main(void) {
    char *p = N ? buffer : malloc(4);
    free(p);
    printf("done\n");
    return 0;
}
