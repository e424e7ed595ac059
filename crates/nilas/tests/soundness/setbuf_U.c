// never: safe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#include <stdio.h>
char buf[BUFSIZ]; int main(){ setbuf(stdout,buf); buf[0]='x'; fputs("hello",stdout); if(buf[0]=='h') reach_error(); return 0;}
