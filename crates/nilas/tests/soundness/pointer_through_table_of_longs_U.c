// never: safe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int a, b; unsigned long table[3];
int main(void) { table[1] = (unsigned long)&a; table[2] = (unsigned long)&b; int *p = (int *)table[__VERIFIER_nondet_int() ? 1 : 2]; *p = 6; if (b == 6) reach_error(); return 0; }
