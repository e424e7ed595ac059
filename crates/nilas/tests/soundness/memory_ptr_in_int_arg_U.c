// never: safe
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int x; void f(uintptr_t u){ *(int*)u=6; } int main(void){ f((uintptr_t)&x); if(x==6) reach_error(); return 0;}
