// never: unsafe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#include <poll.h>
int main(){ struct pollfd p[1]={{0,0,0}}; if(poll(p,1,0)>1) reach_error(); return 0;}
