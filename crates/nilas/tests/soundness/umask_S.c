// never: unsafe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#include <sys/stat.h>
int main(){ umask(022); if(umask(0)!=022) reach_error(); return 0;}
