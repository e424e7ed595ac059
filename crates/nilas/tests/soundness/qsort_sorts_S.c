// never: unsafe
#include <stdlib.h>
extern void reach_error(void);
static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) { int a[3] = { 3, 1, 2 }; qsort(a, 3, sizeof *a, cmp); if (a[0] != 1 || a[1] != 2 || a[2] != 3) reach_error(); return 0; }
