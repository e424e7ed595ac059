// never: safe
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
char c[64]; int main(void){ int*p=(int*)(c+1); *p=0x01020304; if(c[1]==4) reach_error(); return 0;}
