// property: bounds
// good: 3
// bad: 4
#include <stddef.h>
unsigned __VERIFIER_nondet_uint(void);
int m[2][3];
int main(void) {
    unsigned i = __VERIFIER_nondet_uint();
    if (i < N) m[0][i] = 1;
    return 0;
}
