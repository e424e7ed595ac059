// never: safe
#include <stdint.h>
extern void reach_error(void);
int x;
int main(void) { if (__builtin_ctzl((uintptr_t)&x) == 6) reach_error(); return 0; }
