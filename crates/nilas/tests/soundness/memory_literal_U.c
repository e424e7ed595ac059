// never: safe
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
const char*f(void){return "abc";} const char*g(void){return "abc";} int main(void){ if(f()==g()) reach_error(); return 0;}
