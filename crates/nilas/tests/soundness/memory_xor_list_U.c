// never: safe
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int x=1,y=2; int main(void){ uintptr_t k=(uintptr_t)&x^(uintptr_t)&y; int*p=(int*)(k^(uintptr_t)&x); *p=7; if(y==7) reach_error(); return 0;}
