// expect: out-of-bounds-read
#include <stdlib.h>
int main(void) { int *p = calloc(3, sizeof *p); return p[3]; }
