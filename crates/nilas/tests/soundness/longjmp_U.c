// expect: unsafe
#include <setjmp.h>
extern void reach_error(void);
static jmp_buf j;
static void f(int n) { if (n == 0) longjmp(j, 7); f(n - 1); }
int main(void) { int r = setjmp(j); if (r == 0) f(2); else if (r == 7) reach_error(); return 0; }
