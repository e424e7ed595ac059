// never: safe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int x, y;
int main(void) { int *q = __VERIFIER_nondet_int() ? &x : &y; char *p = 0; p += (unsigned long)q; *(int *)p = 3; if (x == 3) reach_error(); return 0; }
