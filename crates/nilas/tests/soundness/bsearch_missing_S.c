// never: unsafe
#include <stdlib.h>
extern void reach_error(void);
static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) { int a[3] = { 1, 3, 5 }, k = 4; if (bsearch(&k, a, 3, sizeof *a, cmp)) reach_error(); return 0; }
