// never: safe
#include <stdlib.h>
extern void reach_error(void);
static int cmp(const void *a, const void *b) { return **(int *const *)a - **(int *const *)b; }
int main(void) { int x = 2, y = 1, *p[2] = { &x, &y }; qsort(p, 2, sizeof *p, cmp); *p[0] = 7; if (y == 7) reach_error(); return 0; }
