// never: safe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#include <stdlib.h>
extern char**environ; int main(){ char**e=environ; setenv("NILAS_X","1",1); if(environ!=e) reach_error(); return 0;}
