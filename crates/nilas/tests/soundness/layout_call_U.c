// never: safe
#include <stdint.h>
extern void reach_error(void);
static void a(void) { } static void b(void) { reach_error(); }
void (*table[2])(void) = { a, b }; void (*other[2])(void) = { b, a }; int x;
int main(void) { table[((uintptr_t)&x >> 8) & 1]();  return 0; }
