// never: safe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#include <math.h>
int main(){ signgam=1; double d=lgamma(-0.5); if(signgam==-1) reach_error(); return 0;}
