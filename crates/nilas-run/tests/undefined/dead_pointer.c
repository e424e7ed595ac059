// expect: dead-pointer with strict
#include <stdlib.h>
int main(void) { char *p = malloc(4); free(p); p = p + 1; return p == 0; }
