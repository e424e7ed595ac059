// never: safe
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
struct s{int a; int b;}; int main(void){ struct s v={1,2}; int*p=&v.b; struct s*q=(struct s*)((char*)p-(size_t)&((struct s*)0)->b); q->a=5; if(v.a==5) reach_error(); return 0;}
