// never: safe
#include <stdint.h>
extern void reach_error(void);
int x; int *p = &x; int a[2];
int main(void) { int k = (uintptr_t)p >> 8 & 1; void *l[2] = { &&two, &&one }; goto *l[k]; one: reach_error(); two: return 0; }
