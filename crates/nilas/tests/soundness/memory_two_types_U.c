// never: safe
#include <stdlib.h>
#include <string.h>
#include <stdint.h>
extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int main(void){ void*p=malloc(8); *(int*)p=5; ((int*)p)[1]=6; long l=*(long*)p; if((int)(l>>32)==6) reach_error(); return 0;}
