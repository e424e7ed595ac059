// expect: leak with ends
#include <stdlib.h>
int main(void) { int *p = malloc(4), *q = malloc(4); free(p); return q == 0; }
