// property: bounds
// good: 4
// bad: 5
#include <stddef.h>
unsigned __VERIFIER_nondet_uint(void);
struct s { int a[4]; int b; } s;
int main(void) {
    unsigned i = __VERIFIER_nondet_uint();
    if (i < N) s.a[i] = 1;
    return s.b;
}
