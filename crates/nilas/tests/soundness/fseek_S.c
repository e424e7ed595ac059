// never: unsafe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#include <stdio.h>
int main(){ FILE*f=tmpfile(); if(!f) return 0; if(fseek(f,0,SEEK_SET)==0&&ftell(f)!=0) reach_error(); return 0;}
