// never: safe
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int x; union u{long l; int*p;}; int main(void){ union u u; u.p=&x; long l=u.l; union u v; v.l=l; *v.p=9; if(x==9) reach_error(); return 0;}
