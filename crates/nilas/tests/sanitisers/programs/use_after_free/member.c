// good: 0
// bad: 1
// kind: use-after-free
#include <stdio.h>
#include <stdlib.h>

struct box { char name[8]; int value; };
int main(void) {
    struct box *b = calloc(1, sizeof *b);
    struct box *alias = b;
    if (N) free(b);
    printf("%d\n", alias->value);
    if (!N) free(b);
    return 0;
}
