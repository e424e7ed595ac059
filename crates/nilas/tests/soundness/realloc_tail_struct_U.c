// never: safe
#include <stdlib.h>
extern void reach_error(void);
struct item { int key, value; };
int main(void) { struct item *a = calloc(2, sizeof *a); a = realloc(a, 10 * sizeof *a); if (a[5].value != 0) reach_error(); return 0; }
