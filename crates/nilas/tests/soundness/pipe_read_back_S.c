// never: unsafe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#include <unistd.h>
int main(){ int p[2]; if(pipe(p)) return 0; if(write(p[1],"q",1)!=1) return 0; char c=0; if(read(p[0],&c,1)==1&&c!='q') reach_error(); return 0;}
