// never: unsafe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int f(int) __attribute__((const));
int main(void) { int x = __VERIFIER_nondet_int(); if (f(x) != f(x)) reach_error(); return 0; }
