// never: safe
#include <stdlib.h>
extern void reach_error(void);
struct item { int key, value; };
int main(void) { struct item *a = malloc(2 * sizeof *a); a[1].value = 9; a = realloc(a, 10 * sizeof *a); if (a && a[1].value == 9) reach_error(); return 0; }
