// property: use-after-free
// good: 0
// bad: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1;
    if (__VERIFIER_nondet_int() == 3 && N) free(p);
    *p = 2;
    return 0;
}
