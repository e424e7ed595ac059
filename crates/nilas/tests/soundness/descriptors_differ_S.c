// expect: safe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#include <fcntl.h>
int main(){ int a=open("/dev/null",O_RDONLY), b=open("/dev/null",O_RDONLY); if(a>=0&&a==b) reach_error(); return 0;}
