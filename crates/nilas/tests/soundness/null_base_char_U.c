// expect: unsafe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int x, y;
static int *way(int *q) { unsigned long u = (unsigned long)q; return (int *)((char *)0 + u); }
int main(void) { int i = __VERIFIER_nondet_int(), *p = way(i ? &x : &y); *p += 9; if (y == 9) reach_error(); return 0; }
