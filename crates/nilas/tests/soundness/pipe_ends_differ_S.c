// expect: safe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#include <unistd.h>
int main(){ int p[2]; if(pipe(p)==0 && (p[0]<0||p[0]==p[1])) reach_error(); return 0;}
