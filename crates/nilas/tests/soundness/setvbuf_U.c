// never: safe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#include <stdio.h>
char buf[BUFSIZ]; int main(){ setvbuf(stdout,buf,_IOFBF,sizeof buf); buf[0]='x'; printf("hello"); if(buf[0]=='h') reach_error(); return 0;}
