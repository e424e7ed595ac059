// expect: use-after-free
#include <stdlib.h>
int main(void) { int *p = malloc(4), *q = p; *p = 1; p = realloc(p, 400); *q = 3; return *p; }
