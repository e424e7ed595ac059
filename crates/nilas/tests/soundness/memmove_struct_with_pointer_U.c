// never: safe
#include <string.h>
extern void reach_error(void);
struct s { int *p; int n; } x[3];
int a, b;
int main(void) { x[0].p = &a; x[1].p = &b; memmove(x + 1, x, 2 * sizeof *x); *x[2].p = 5; *x[1].p = 6; if (b == 5 && a == 6) reach_error(); return 0; }
