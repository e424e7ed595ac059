// never: safe
#include <stdint.h>
extern void reach_error(void);
int x; int *p = &x;
int main(void) { unsigned r; if (__builtin_add_overflow((unsigned)((uintptr_t)p >> 8), 0xf0000000u, &r)) reach_error(); return 0; }
