// never: unsafe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#include <time.h>
int main(){ struct timespec t; if(clock_gettime(CLOCK_REALTIME,&t)==0 && (t.tv_nsec<0||t.tv_nsec>999999999)) reach_error(); return 0;}
