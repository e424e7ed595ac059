// never: unsafe
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
void *memset(void *, int, unsigned long);
int main() { char *p = "abc"; if (__VERIFIER_nondet_int()) { __builtin_memset(p, 0, 4); reach_error(); } return 0; }
