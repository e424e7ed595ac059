// property: null
// good: 1
// bad: 0
// options: --malloc-may-fail
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof *p);
    if (N && !p) return 1;
    *p = 3;
    free(p);
    return 0;
}
