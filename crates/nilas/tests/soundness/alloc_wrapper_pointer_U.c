// never: safe
#include <stdlib.h>
extern void reach_error(void);
static void *(*allocate)(size_t) = malloc;
int main(void) {
    int *p = allocate(sizeof(int)); double *d = allocate(100 * sizeof(double));
    *p = 1; d[99] = 2.0;
    if (*p + d[99] == 3.0) reach_error();
    return 0;
}
