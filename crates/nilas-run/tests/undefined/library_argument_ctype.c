// expect: library-argument
#include <ctype.h>
int main(void) { int (*f)(int) = isalpha; return f(100000); }
