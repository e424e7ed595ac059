// never: safe
#include <stdlib.h>
extern void reach_error(void);
static void *grow(void *p, unsigned n) { void *q = realloc(p, n); if (!q) abort(); return q; }
int main(void) { char *a = grow(0, 3); long *b = grow(0, 80 * sizeof(long)); a[2] = 1; b[79] = 2; a = grow(a, 900); b = grow(b, 90 * sizeof(long)); if (a[2] == 1 && b[79] == 2) reach_error(); return 0; }
