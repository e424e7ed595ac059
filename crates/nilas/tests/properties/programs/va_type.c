// property: other-undefined
// good: 1
// bad: 2
#include <stdarg.h>
static long get(int n, ...) {
    va_list list;
    long value;
    va_start(list, n);
    value = n == 1 ? va_arg(list, int) : (long)va_arg(list, double);
    va_end(list);
    return value;
}
int main(void) {
    return (int)get(N, 5);
}
