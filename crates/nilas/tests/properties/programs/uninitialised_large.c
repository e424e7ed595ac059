// property: uninitialised
// good: 100
// bad: 99
#include <stddef.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    char a[100];
    int i = __VERIFIER_nondet_int();
    for (int k = 0; k < N; k++) a[k] = 1;
    return i >= 98 && i < 100 ? a[i] : 0;
}
