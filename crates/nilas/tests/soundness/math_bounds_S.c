// never: unsafe
#include <math.h>
extern void reach_error(void); extern double __VERIFIER_nondet_double(void);
int main(void){ double x = __VERIFIER_nondet_double(); double s = sin(x); if (!isnan(x) && !isinf(x) && (s > 1.0 || s < -1.0 || s != s)) reach_error(); if (exp(0.0) != 1.0 || log(1.0) != 0 || pow(x, 0.0) != 1.0) reach_error(); return 0;}
