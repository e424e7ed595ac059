// expect: safe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#include <unistd.h>
int main(){ char b[10]; if(readlink("x",b,10)==0) reach_error(); return 0;}
