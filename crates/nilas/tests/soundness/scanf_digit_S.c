// never: unsafe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#include <stdio.h>
int main(){ unsigned a=7; char c; int r=scanf("%2u",&a); if(r==1&&a>99) reach_error(); return 0;}
