// never: unsafe
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
struct n{void*d; struct n*next;}; int main(void){ struct n*l=0; for(int i=0;i<2;i++){ int*v=malloc(sizeof(int)); *v=i; struct n*t=malloc(sizeof*t); t->d=v; t->next=l; l=t;} if(*(int*)l->d!=1) reach_error(); return 0;}
