// property: uninitialised
// good: 4
// bad: 3
#include <stddef.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int a[4], s = 0;
    int i = __VERIFIER_nondet_int();
    for (int k = 0; k < N; k++) a[k] = k;
    if (i >= 0 && i < 4) s = a[i];
    return s;
}
