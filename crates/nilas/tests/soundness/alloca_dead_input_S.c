// never: unsafe
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
extern void abort(void) __attribute__((noreturn));
static int H(int v){int x=__VERIFIER_nondet_int(); if((unsigned)x*3u+17u!=(unsigned)v*3u+17u) abort(); return x;}
int*f(int n){ int*p=__builtin_alloca(n); p[0]=7; return p; } int main(){ int*p=f(H(4)); if(p[0]==7) reach_error(); return 0;}
