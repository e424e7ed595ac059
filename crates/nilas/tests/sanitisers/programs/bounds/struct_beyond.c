// good: 1
// bad: 2
// kind: out-of-bounds-read
#include <stdio.h>
#include <stdlib.h>

struct pair { int a, b; };
int main(void) {
    struct pair *p = calloc(2, sizeof *p);
    int i = N;
    printf("%d\n", p[i].b);
    free(p);
    return 0;
}
