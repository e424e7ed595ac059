// property: assert
// good: 6
// bad: 7
#include <assert.h>
#include <stdarg.h>
static int sum(int n, ...) {
    va_list list;
    int total = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++) total += va_arg(list, int);
    va_end(list);
    return total;
}
int main(void) {
    assert(sum(3, 1, 2, 3) == N);
    assert(sum(0) == 0);
    return 0;
}
