// never: unsafe
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
struct n{int v; struct n*next;}; static void *xm(size_t n){return malloc(n);} int main(void){ struct n*l=0; for(int i=0;i<3;i++){ struct n*t=xm(sizeof*t); t->v=i; t->next=l; l=t; char*c=xm(7); c[6]=1; } if(l->next->v!=1) reach_error(); return 0;}
