// property: leak
// good: 0
// bad: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    char *p = malloc(3);
    p[0] = 1;
    if (__VERIFIER_nondet_int() == 5 && N) return 1;
    free(p);
    return 0;
}
