// never: safe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#include <time.h>
#include <stdlib.h>
int main(){ timezone=5; tzset(); if(timezone==0) reach_error(); return 0;}
