// never: safe
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
struct h{short t; int v;}; int main(void){ char buf[16]; struct h*h=(struct h*)(buf+4); h->t=1; h->v=77; int k; memcpy(&k,buf+8,4); if(k==77) reach_error(); return 0;}
