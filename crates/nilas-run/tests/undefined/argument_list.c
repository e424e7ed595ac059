// expect: argument-list
#include <stdarg.h>
int f(int n, ...) { va_list l; va_start(l, n); va_end(l); return va_arg(l, int); }
int main(void) { return f(1, 5); }
