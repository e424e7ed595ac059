// never: safe
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int a[4]={1,2,3,4}; int main(void){ int*p=a+2; if(p[-1]==2) reach_error(); return 0;}
