// never: safe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#include <stdlib.h>
struct R{int k,id;}; int cmp(const void*a,const void*b){ return ((struct R*)a)->k-((struct R*)b)->k; }
int main(){ struct R r[2]={{1,0},{1,1}}; qsort(r,2,sizeof*r,cmp); if(r[0].id==1) reach_error(); return 0;}
