// never: safe
#include <stdlib.h>
extern void reach_error(void);
int main(void) { int *p = realloc(0, 4 * sizeof *p); p[3] = 6; if (p[3] == 6) reach_error(); return 0; }
