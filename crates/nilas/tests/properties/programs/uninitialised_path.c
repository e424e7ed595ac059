// property: uninitialised
// good: 1
// bad: 0
#include <stddef.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int x;
    if (__VERIFIER_nondet_int() > 3) x = 1;
    else if (N) x = 2;
    return x;
}
