// never: safe
#include <stdint.h>
extern void reach_error(void);
int x, a[2];
int main(void) { a[(uintptr_t)&x >> 7 & 7] = 1; reach_error(); return 0; }
