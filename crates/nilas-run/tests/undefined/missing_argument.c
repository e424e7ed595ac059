// expect: missing-argument
#include <stdarg.h>
int f(int n, ...) { va_list l; va_start(l, n); int s = 0; while (n--) s += va_arg(l, int); return s; }
int main(void) { return f(3, 1, 2); }
