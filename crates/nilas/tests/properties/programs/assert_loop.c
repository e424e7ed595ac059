// property: assert
// good: 10
// bad: 9
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), i, s = 0;
    if (n > 10) return 0;
    for (i = 0; i < n; i++) s++;
    assert(s <= N);
    return 0;
}
