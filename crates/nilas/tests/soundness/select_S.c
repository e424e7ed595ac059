// never: unsafe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#include <sys/select.h>
int main(){ fd_set r; FD_ZERO(&r); struct timeval t={0,0}; if(select(1,&r,0,0,&t)>3) reach_error(); return 0;}
