// property: leak
// good: 0
// bad: 1
#include <stdlib.h>
int main(void) {
    int *p = calloc(2, 4);
    if (N) exit(0);
    free(p);
    exit(1);
}
