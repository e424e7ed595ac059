// never: safe
#include <math.h>
extern void reach_error(void); extern float __VERIFIER_nondet_float(void);
int main(void){ float x = __VERIFIER_nondet_float(); if (x > 1.0f && nextafterf(x, 0.0f) == 1.0f) reach_error(); return 0;}
