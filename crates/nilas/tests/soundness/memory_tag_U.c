// never: safe
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int x; int main(void){ uintptr_t t=(uintptr_t)&x|1; int*p=(int*)(t&~(uintptr_t)1); *p=3; if(x==3) reach_error(); return 0;}
