// never: unsafe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#include <stdio.h>
int main(){ int a=1,n=-5; int r=scanf("%d%n",&a,&n); if(r==1&&n<1) reach_error(); if(r>1) reach_error(); return 0;}
