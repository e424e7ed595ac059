// never: safe
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
static int f(void){return 3;} int main(void){ int(*p)(int)=(int(*)(int))f; if(p(1)==3) reach_error(); return 0;}
