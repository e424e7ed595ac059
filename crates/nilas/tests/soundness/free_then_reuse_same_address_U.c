// never: safe
#include <stdlib.h>
#include <stdint.h>
extern void reach_error(void);
int main(void) { int *p = malloc(16); uintptr_t u = (uintptr_t)p; free(p); int *q = malloc(16); if ((uintptr_t)q == u) reach_error(); return 0; }
