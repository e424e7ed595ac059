// never: unsafe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#include <stdio.h>
int main(){ char c[9]; c[0]='q'; int r=scanf("%8[^,]",c); if(r==1&&c[0]==',') reach_error(); return 0;}
