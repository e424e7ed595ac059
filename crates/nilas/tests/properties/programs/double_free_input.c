// property: double-free
// good: 0
// bad: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    char *p = malloc(3);
    if (__VERIFIER_nondet_int() == 5) { free(p); if (!N) return 0; }
    free(p);
    return 0;
}
