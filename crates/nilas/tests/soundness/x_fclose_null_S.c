// never: unsafe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#ifdef TRUTH
static int H(int v){return v;}
#else
static int H(int v){int x=__VERIFIER_nondet_int(); if((unsigned)x*3u+17u!=(unsigned)v*3u+17u) abort(); return x;}
#endif
#include <stdio.h>
int main(){ H(1); fclose(0); reach_error(); return 0;}
