// never: safe
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int main(void){ int*p=0; for(int i=0;i<4;i++){ p=realloc(p,(i+1)*sizeof*p); p[i]=i;} if(p[2]==2) reach_error(); return 0;}
