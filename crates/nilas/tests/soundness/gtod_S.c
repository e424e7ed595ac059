// never: unsafe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#include <sys/time.h>
int main(){ struct timeval t; if(gettimeofday(&t,0)==0 && (t.tv_usec<0||t.tv_usec>999999)) reach_error(); return 0;}
