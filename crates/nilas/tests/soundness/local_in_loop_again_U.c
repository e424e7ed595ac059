// never: safe
#include <stdint.h>
extern void reach_error(void);
int main(void) { uintptr_t last = 0; for (int i = 0; i < 2; i++) { int x = i; if (last == (uintptr_t)&x) reach_error(); last = (uintptr_t)&x; } return 0; }
