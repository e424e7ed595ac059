// never: safe
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
static int f(int x){return x+1;} static int g(int x){return x*2;} int(*t[2])(int)={f,g}; int main(void){ int i=__VERIFIER_nondet_int()&1; if(t[i](5)==10) reach_error(); return 0;}
