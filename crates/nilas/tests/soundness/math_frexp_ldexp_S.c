// never: unsafe
#include <math.h>
extern void reach_error(void); extern float __VERIFIER_nondet_float(void);
int main(void){ float x = __VERIFIER_nondet_float(); int e; float m = frexpf(x, &e); if (isfinite(x) && x != 0) { if (!(fabsf(m) >= 0.5f && fabsf(m) < 1.0f)) reach_error(); if (ldexpf(m, e) != x) reach_error(); } return 0;}
