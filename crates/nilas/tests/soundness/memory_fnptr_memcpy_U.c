// never: safe
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int x; int main(void){ void*(*f)(void*,const void*,size_t)=memcpy; int*p=&x,*q; f(&q,&p,sizeof p); *q=5; if(x==5) reach_error(); return 0;}
