// property: uninitialised
// good: 1
// bad: 0
#include <stdlib.h>
int main(void) {
    int *p = N ? calloc(3, sizeof *p) : malloc(3 * sizeof *p);
    p[0] = 1;
    int r = p[0] + p[2];
    free(p);
    return r;
}
