// never: unsafe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#include <alloca.h>
char *f(void){ char*p=alloca(4); *p=1; return p;}
int main(){ char*p=f(); if(*p==1) reach_error(); return 0;}
