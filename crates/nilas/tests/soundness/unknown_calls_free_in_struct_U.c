// never: safe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#include <stdlib.h>
struct O{void(*del)(void*);void*p;}; extern void unk(struct O*); int main(){ struct O o={free,malloc(4)}; void*p=o.p; unk(&o); void*q=malloc(4); if(p==q) reach_error(); return 0;}
