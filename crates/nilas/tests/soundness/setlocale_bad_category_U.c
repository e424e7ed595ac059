// never: safe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
#include <locale.h>
int main(){ if(!setlocale(99,"C")) reach_error(); return 0;}
