// never: safe
#include <stdint.h>
#include <stdlib.h>
extern void reach_error(void);
int x; int *p = &x; 
int main(void) { int n = (uintptr_t)p >> 8 & 1; int k = n ? 1 : 2; if (k == 1) reach_error(); while (n--) k++; if (k == 3) reach_error();  return 1; }
