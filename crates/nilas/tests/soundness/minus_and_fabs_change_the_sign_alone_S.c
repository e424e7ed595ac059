// never: unsafe
#include <math.h>
#include <string.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
int main(void){ double d = __VERIFIER_nondet_double(); unsigned long a, b; double m = -d; memcpy(&a,&d,8); memcpy(&b,&m,8); if ((a ^ b) != 1UL<<63) reach_error(); double f = fabs(m); memcpy(&b,&f,8); if (b != (a & ~(1UL<<63))) reach_error(); return 0;}
