// never: safe
#include <math.h>
extern void reach_error(void); extern double __VERIFIER_nondet_double(void);
int main(void){ double x = __VERIFIER_nondet_double(); double y = floor(x) * 2.0; int n = ilogb(y); if (n == 5 && lrint(y) == 34 && !signbit(y) && copysign(y, -1.0) == -34.0) reach_error(); return 0;}
