// property: uninitialised
// good: 1
// bad: 0
#include <stddef.h>
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned s, i, n = __VERIFIER_nondet_uint() % 4;
    if (N) s = 0;
    for (i = 0; i < n; i++) s += i;
    return 0;
}
