// never: safe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int a[2], b[2];
int main(void) { int i = __VERIFIER_nondet_int(); if (i < 0 || i > 2) return 0; int *p = a + i; if (p == b) reach_error(); return 0; }
