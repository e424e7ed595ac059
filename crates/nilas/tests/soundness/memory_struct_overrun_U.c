// never: safe
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
struct s{int a[2]; int b;}; int main(void){ struct s s={{1,2},3}; int i=2; if(s.a[i]==3) reach_error(); return 0;}
