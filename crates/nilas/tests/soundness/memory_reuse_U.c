// never: safe
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int main(void){ int*p=malloc(4); uintptr_t a=(uintptr_t)p; free(p); int*q=malloc(4); if((uintptr_t)q==a) reach_error(); return 0;}
