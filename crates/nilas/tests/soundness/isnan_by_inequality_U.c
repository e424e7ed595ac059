// never: safe
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
int main(void) { double d = __VERIFIER_nondet_double(); if (d != d && isnan(d)) reach_error(); return 0; }
