// never: unsafe
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int a[40]; int*t[40]; int main(void){ for(int i=0;i<40;i++) t[i]=&a[39-i]; *t[3]=9; if(a[36]!=9) reach_error(); return 0;}
