// never: safe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#include <stdlib.h>
extern void with(void(*f)(void*),void*); int main(){ int*p=malloc(4); *p=1; with(free,p); int*q=malloc(4); *q=2; if(p==q) reach_error(); return 0;}
