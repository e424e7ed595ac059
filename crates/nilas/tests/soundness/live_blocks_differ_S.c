// never: unsafe
#include <stdlib.h>
extern void reach_error(void);
int main(void) { int *p = malloc(16), *q = malloc(16); if (p && p == q) reach_error(); return 0; }
