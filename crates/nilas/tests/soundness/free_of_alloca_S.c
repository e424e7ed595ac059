// never: unsafe
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
void free(void *);
int main() { if (__VERIFIER_nondet_int()) { char *p = __builtin_alloca(4); p[0] = 1; free(p); reach_error(); } return 0; }
