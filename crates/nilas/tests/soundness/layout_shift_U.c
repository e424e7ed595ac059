// never: safe
#include <stdint.h>
extern void reach_error(void);
int x;
int main(void) { unsigned r = 1u << ((uintptr_t)&x >> 7 & 63); (void)r; if ((uintptr_t)&x >> 9 & 1) r = 1; reach_error(); return 0; }
