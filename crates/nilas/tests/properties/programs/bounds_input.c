// property: bounds
// good: 8
// bad: 9
#include <stddef.h>
unsigned __VERIFIER_nondet_uint(void);
int a[8];
int main(void) {
    unsigned i = __VERIFIER_nondet_uint();
    if (i < N) a[i] = 1;
    return 0;
}
