// never: unsafe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#include <unistd.h>
#include <errno.h>
int main(){ errno=0; if(close(-1)!=-1) reach_error(); if(errno!=EBADF) reach_error(); return 0;}
