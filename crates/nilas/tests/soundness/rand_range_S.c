// never: unsafe
#include <stdlib.h>
extern void reach_error(void);
int main(void) { int r = rand(); if (r < 0) reach_error(); return 0; }
