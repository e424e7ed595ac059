// never: unsafe
#include <math.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void){ int c = __VERIFIER_nondet_int(); double n = c ? -__builtin_nan("") : 1.0; if (!signbit(n) != !c) reach_error(); return 0;}
