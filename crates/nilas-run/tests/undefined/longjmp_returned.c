// expect: jump-out-of-scope
#include <setjmp.h>
jmp_buf b;
int f(void) { return setjmp(b); }
int main(void) { f(); longjmp(b, 1); }
