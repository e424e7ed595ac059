// property: signed-overflow
// good: 0
// bad: 1
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
/* What a function of the library calls back is the user's. */
int compare(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return N ? x - y : (x > y) - (x < y);
}
int main(void) {
    int a[2];
    a[0] = __VERIFIER_nondet_int();
    a[1] = __VERIFIER_nondet_int();
    qsort(a, 2, sizeof a[0], compare);
    return 0;
}
