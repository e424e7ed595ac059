// expect: argument-type
#include <stdarg.h>
int f(int n, ...) { va_list l; va_start(l, n); return va_arg(l, double) > 0; }
int main(void) { return f(1, 5); }
