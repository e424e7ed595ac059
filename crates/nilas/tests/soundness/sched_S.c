// never: unsafe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#include <sched.h>
int main(){ int r=sched_yield(); if(r!=0&&r!=-1) reach_error(); return 0;}
