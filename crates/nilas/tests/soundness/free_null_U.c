// never: safe
#include <stdlib.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void) { int *p = __VERIFIER_nondet_int() ? malloc(4) : 0; free(p); reach_error(); return 0; }
