// never: safe
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int a,b; int main(void){ if((((uintptr_t)&a>>2)&1) == (((uintptr_t)&b>>2)&1)) reach_error(); else reach_error(); return 0;}
