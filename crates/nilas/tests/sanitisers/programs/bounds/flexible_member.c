// good: 2
// bad: 3
// kind: out-of-bounds-write
#include <stdio.h>
#include <stdlib.h>

struct list { int count; int items[]; };
int main(void) {
    struct list *l = malloc(sizeof *l + 3 * sizeof(int));
    int i = N;
    l->items[i] = 1;
    printf("%d\n", i);
    free(l);
    return 0;
}
