// never: safe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#define CHECK(e) do{ if(!(e)) abort(); }while(0)
#define DONE reach_error();
#include <fenv.h>
int main(){ fesetround(FE_UPWARD); fesetenv(FE_DFL_ENV); CHECK(fegetround()==FE_TONEAREST); DONE return 0;}
