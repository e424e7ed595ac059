// property: assert
// good: 3
// bad: 4
#include <assert.h>
#include <stdarg.h>
static int next(va_list list) {
    return va_arg(list, int);
}
static int second(int n, ...) {
    va_list list, copy;
    va_start(list, n);
    va_copy(copy, list);
    int first = va_arg(list, int);
    int same = next(copy);
    va_end(copy);
    assert(first == same);
    int result = va_arg(list, int);
    va_end(list);
    return result;
}
int main(void) {
    assert(second(2, 2, 3) == N);
    return 0;
}
