// never: safe
#include <stdlib.h>
extern void reach_error(void);
struct header { int size; int pad; };
static void *get(int n) { struct header *h = malloc(sizeof *h + n); h->size = n; return h + 1; }
static int size(void *p) { return ((struct header *)p - 1)->size; }
int main(void) { char *a = get(3); int *b = get(40); a[2] = 1; b[9] = 2; if (size(a) == 3 && size(b) == 40) reach_error(); return 0; }
