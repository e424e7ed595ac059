// good: 0
// bad: 1
// kind: use-after-free
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *p = malloc(4);
    strcpy(p, "abc");
    if (N) free(p);
    printf("%d\n", (int)strlen(p));
    if (!N) free(p);
    return 0;
}
