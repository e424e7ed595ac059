// never: safe
#include <stdlib.h>
extern void reach_error(void);
struct ops { void *(*get)(size_t); void (*put)(void *); };
static const struct ops ops = { malloc, free };
int main(void) { int *p = ops.get(8); p[1] = 2; int k = p[1]; ops.put(p); if (k == 2) reach_error(); return 0; }
