// never: unsafe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#include <fenv.h>
int main(){ if(fetestexcept(FE_INVALID) & ~FE_INVALID) reach_error(); return 0;}
