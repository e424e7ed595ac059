// never: safe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#include <time.h>
int main(){ time_t t=0x7fffffffffffffffl; if(!ctime(&t)) reach_error(); return 0;}
