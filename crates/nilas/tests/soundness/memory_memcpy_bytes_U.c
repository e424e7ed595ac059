// never: safe
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int x; int main(void){ int*p=&x,*q; for(unsigned i=0;i<sizeof p;i++) ((char*)&q)[i]=((char*)&p)[i]; *q=5; if(x==5) reach_error(); return 0;}
