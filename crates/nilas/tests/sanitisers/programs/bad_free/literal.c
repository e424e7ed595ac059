// good: 0
// bad: 1
// kind: invalid-free
// differs: sanitisers crash: they look for what they keep before an object in memory that cannot be written
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *p = N ? "abc" : malloc(4);
    free(p);
    printf("done\n");
    return 0;
}
