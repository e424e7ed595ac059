// never: safe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#include <fenv.h>
int main(){ fesetround(FE_UPWARD); volatile double a=1,b=3; double d=1.0/3.0; if(d!=a/b) reach_error(); return 0;}
