// never: safe
#include <stdint.h>
extern void reach_error(void);
int x, y;
int main(void) { if (7 / ((uintptr_t)&x >> 7 & 1)) y = 1; reach_error(); return 0; }
