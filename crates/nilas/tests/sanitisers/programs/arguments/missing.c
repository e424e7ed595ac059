// good: 2
// bad: 3
// kind: missing-argument
// differs: sanitisers silent: the registers and the stack hold something
#include <stdio.h>

#include <stdarg.h>
static int sum(int n, ...) {
    va_list list;
    va_start(list, n);
    int total = 0;
    for (int i = 0; i < n; i++) total += va_arg(list, int) != 77;
    va_end(list);
    return total;
}
int main(void) {
    printf("%d\n", sum(N, 1, 2) > 0);
    return 0;
}
