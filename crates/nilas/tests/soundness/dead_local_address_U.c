// never: safe
#include <stdint.h>
extern void reach_error(void);
static uintptr_t where(void) { int x = 1; return (uintptr_t)&x; }
int main(void) { uintptr_t a = where(), b = where(); if (a == b) reach_error(); return 0; }
