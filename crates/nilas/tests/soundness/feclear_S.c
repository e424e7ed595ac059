// never: unsafe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#include <fenv.h>
int main(){ feclearexcept(FE_ALL_EXCEPT); if(fetestexcept(FE_ALL_EXCEPT)) reach_error(); return 0;}
