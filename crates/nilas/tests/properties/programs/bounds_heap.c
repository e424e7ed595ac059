// property: bounds
// good: 4
// bad: 5
#include <stdlib.h>
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    char *p = malloc(4);
    unsigned i = __VERIFIER_nondet_uint();
    if (i < N) p[i] = 1;
    free(p);
    return 0;
}
