// never: safe
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int x; long tab[3]; int main(void){ tab[1]=(long)&x; int*p=(int*)tab[1]; *p=2; if(x==2) reach_error(); return 0;}
