// never: safe
#include <stdint.h>
extern void reach_error(void);
int x;
int main(void) { _Bool b = (uintptr_t)&x >> 8 & 1; if (b) reach_error(); return 0; }
