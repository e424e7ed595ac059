// never: unsafe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
static int H(int v){int x=__VERIFIER_nondet_int(); if((unsigned)x*3u+17u!=(unsigned)v*3u+17u) abort(); return x;}
#include <ctype.h>
int main(){ if(toupper(H(-1000))||1) reach_error(); return 0;}
