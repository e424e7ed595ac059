// never: safe
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int a[3]={1,2,3}; int main(void){ int*p=a-1; if(p[1]==1) reach_error(); return 0;}
