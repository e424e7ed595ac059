// never: safe
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int a,b; int main(void){ if(&a>&b) reach_error(); return 0;}
