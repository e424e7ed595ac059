// never: safe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int a, b;
int main(void) { unsigned long t = (unsigned long)(__VERIFIER_nondet_int() ? &a : &b) | 1; if (t & 1) { *(int *)(t & ~1ul) = 9; if (b == 9) reach_error(); } return 0; }
