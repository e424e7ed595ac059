// never: safe
#include <stdint.h>
extern void reach_error(void);
char c[3];
int main(void) { if ((uintptr_t)&c[0] & 1) reach_error(); return 0; }
