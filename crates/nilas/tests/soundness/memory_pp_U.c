// never: safe
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int x,y; void set(int**q,int*v){*q=v;} int main(void){ int*p=&x; set(&p,&y); *p=4; if(y==4) reach_error(); return 0;}
