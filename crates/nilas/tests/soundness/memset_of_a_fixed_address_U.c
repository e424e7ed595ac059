// never: safe
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main() { char *p = (char *)0x40000000; if (__VERIFIER_nondet_int()) __builtin_memset(p, 0, 4); else return 0; reach_error(); return 0; }
