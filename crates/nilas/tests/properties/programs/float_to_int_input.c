// property: float-to-int
// good: 2147483647.0
// bad: 2147483648.0
#include <stddef.h>
double __VERIFIER_nondet_double(void);
int main(void) {
    double x = __VERIFIER_nondet_double();
    if (!(x >= 0 && x <= N)) return 0;
    return (int)x;
}
