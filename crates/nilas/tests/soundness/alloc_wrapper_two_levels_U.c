// never: safe
#include <stdlib.h>
extern void reach_error(void);
static void *inner(unsigned n) { return calloc(1, n); }
static void *outer(unsigned n) { return inner(n + 8); }
int main(void) {
    for (int i = 0; i < 2; i++) { char *a = outer(1); long *b = outer(800); b[100] = 4; a[8] = 1; if (b[100] == 4 && i) reach_error(); }
    return 0;
}
