// property: other-undefined
// good: 2
// bad: 3
#include <stdarg.h>
int __VERIFIER_nondet_int(void);
static int sum(int n, ...) {
    va_list list;
    int total = 0;
    va_start(list, n);
    for (int i = 0; i < n; i++) total ^= va_arg(list, int);
    va_end(list);
    return total;
}
int main(void) {
    return __VERIFIER_nondet_int() == 3 ? sum(N, 1, 2) : 0;
}
