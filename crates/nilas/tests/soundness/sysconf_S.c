// never: unsafe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#include <unistd.h>
int main(){ if(sysconf(_SC_PAGESIZE)!=sysconf(_SC_PAGESIZE)) reach_error(); return 0;}
