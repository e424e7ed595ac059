// expect: unknown
#include <math.h>
extern void reach_error(void); extern double __VERIFIER_nondet_double(void);
int main(void){ double x = __VERIFIER_nondet_double(); if (cos(x) == 0.25) reach_error(); return 0;}
