// never: safe
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int f(int n,int*up){ int v=n; if(up) *up=42; if(n==0) return 0; f(n-1,&v); return v;} int main(void){ if(f(2,0)==42) reach_error(); return 0;}
