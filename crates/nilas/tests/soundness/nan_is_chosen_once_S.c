// never: unsafe
#include <math.h>
#include <string.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
int main(void){ double a = __VERIFIER_nondet_double(), b = __VERIFIER_nondet_double(); double c = a + b; unsigned long u, v; memcpy(&u,&c,8); double e = c; v = *(unsigned long*)&e; if (u != v) reach_error(); if (!signbit(c) != !(u>>63)) reach_error(); return 0;}
