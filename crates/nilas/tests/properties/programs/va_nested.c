// property: assert
// good: 12
// bad: 13
#include <assert.h>
#include <stdarg.h>
static int sum(int n, ...) {
    va_list list;
    int total = 0;
    va_start(list, n);
    while (n-- > 0) total += va_arg(list, int);
    va_end(list);
    return total;
}
int main(void) {
    assert(sum(3, sum(2, 1, 2), 4, sum(1, 5)) == N);
    return 0;
}
