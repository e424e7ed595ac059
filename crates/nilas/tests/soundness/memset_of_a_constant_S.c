// never: unsafe
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
const int c[3] = { 1, 2, 3 };
int main() { if (__VERIFIER_nondet_int()) { __builtin_memset((void *)c, 0, sizeof c); reach_error(); } return 0; }
