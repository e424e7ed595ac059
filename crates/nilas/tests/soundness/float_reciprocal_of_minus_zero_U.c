// never: safe
#include <math.h>
extern float __VERIFIER_nondet_float(void); extern double __VERIFIER_nondet_double(void); extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
#define A(c) if(!(c)) reach_error()
int main(void){ float x=__VERIFIER_nondet_float(), y=__VERIFIER_nondet_float(); double d=__VERIFIER_nondet_double(); int i=__VERIFIER_nondet_int(); unsigned u=__VERIFIER_nondet_uint();
if(x>=0){A(1/x>0);}
return 0; }
