// never: safe
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
struct a{int x; int y;}; struct b{int x; int y; int z;}; int main(void){ struct b v={1,2,3}; struct a*p=(struct a*)&v; p->y=8; if(v.y==8) reach_error(); return 0;}
