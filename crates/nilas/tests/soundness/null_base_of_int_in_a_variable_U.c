// never: safe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int x[2], y;
int main(void) { int *q = __VERIFIER_nondet_int() ? x : &y; int *p = 0; p = p + (unsigned long)q / 4; *p = 3; if (x[0] == 3) reach_error(); return 0; }
