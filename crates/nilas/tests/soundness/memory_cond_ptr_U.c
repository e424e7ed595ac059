// never: safe
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int x,y; int main(void){ int*p=__VERIFIER_nondet_int()?&x:&y; int**pp=&p; **pp=3; if(x==3) reach_error(); return 0;}
