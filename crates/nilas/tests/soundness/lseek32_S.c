// never: unsafe
// options: --32
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#include <unistd.h>
int main(){ long r=lseek(0,0,SEEK_CUR); if(r<-1) reach_error(); return 0;}
