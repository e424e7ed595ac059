// never: safe
#include <stdlib.h>
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
static int *ints(unsigned n) { return malloc(n * sizeof(int)); }
int main(void) {
    unsigned n = __VERIFIER_nondet_uchar();
    int *a = ints(n + 1), *b = ints(900);
    a[n] = 7; b[899] = 8;
    if (a[n] == 7 && b[899] == 8) reach_error();
    return 0;
}
