// property: assert
// good: 5
// bad: 4
#include <stddef.h>
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int c) { if (!c) reach_error(); }
int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assert(x == x);
    if (x >= 0 && x <= 5) __VERIFIER_assert(x <= N);
    return 0;
}
