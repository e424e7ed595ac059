// never: safe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#include <stdio.h>
int main(){ char*p=0; size_t n=0; FILE*f=open_memstream(&p,&n); if(!f) return 0; n=77; p=0; fputs("hello",f); fflush(f); if(n==5) reach_error(); return 0;}
