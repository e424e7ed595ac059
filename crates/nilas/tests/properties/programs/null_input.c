// property: null
// good: 1
// bad: 0
#include <stddef.h>
int __VERIFIER_nondet_int(void);
int g;
int main(void) {
    int *p = &g;
    if (__VERIFIER_nondet_int() == 7) p = N ? &g : 0;
    *p = 1;
    return 0;
}
