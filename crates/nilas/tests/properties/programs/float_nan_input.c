// property: float-nan
// good: 1
// bad: 0
#include <stddef.h>
float __VERIFIER_nondet_float(void);
int main(void) {
    float x = __VERIFIER_nondet_float(), y;
    if (!(x >= N && x <= 4)) return 0;
    y = x / x;
    return y > 2;
}
