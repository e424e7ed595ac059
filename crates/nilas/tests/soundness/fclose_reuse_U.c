// never: safe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#include <stdio.h>
int main(){ FILE*a=fopen("/dev/null","r"); if(!a) return 0; fclose(a); FILE*b=fopen("/dev/null","r"); if(a==b) reach_error(); return 0;}
