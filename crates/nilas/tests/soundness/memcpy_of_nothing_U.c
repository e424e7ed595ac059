// never: safe
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main() { char *p = 0, *q = 0; if (__VERIFIER_nondet_int()) __builtin_memcpy(p, q, 0); else return 0; reach_error(); return 0; }
