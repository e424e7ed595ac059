// expect: unsafe
#include <stdarg.h>
extern void reach_error(void);
static int sum(int n, ...) { va_list ap; int s = 0; va_start(ap, n); for (int i = 0; i < n; i++) s += va_arg(ap, int); va_end(ap); return s; }
int main(void) { if (sum(3, 1, 2, 3) == 6) reach_error(); return 0; }
