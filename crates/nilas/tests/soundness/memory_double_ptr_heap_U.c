// never: safe
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int main(void){ int**m=malloc(3*sizeof*m); for(int i=0;i<3;i++){ m[i]=malloc(3*sizeof(int)); for(int j=0;j<3;j++) m[i][j]=i*3+j;} if(m[2][1]==7) reach_error(); return 0;}
