// never: safe
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int a[8]; int main(void){ int*p=&a[6],*q=&a[2]; if(p-q==4) reach_error(); return 0;}
