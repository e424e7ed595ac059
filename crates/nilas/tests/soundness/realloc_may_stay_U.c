// never: safe
#include <stdlib.h>
#include <stdint.h>
extern void reach_error(void);
int main(void) { char *p = malloc(8); uintptr_t u = (uintptr_t)p; p = realloc(p, 16); if ((uintptr_t)p == u) reach_error(); return 0; }
