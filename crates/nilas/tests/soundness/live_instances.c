// expect: safe
extern void reach_error(void);
static void inc(int *p, int n) { int *q = p; while (n-- > 0) *q += 1; }
extern int __VERIFIER_nondet_int(void);
int main(void) { for (;;) { int x = 0; int y; inc(&x, 2); if (x != 2) reach_error(); int a[3] = {1,2,3}; int *e = a + 3; int s = 0; for (int *p = a; p != e; p++) s += *p; if (s != 6) reach_error(); if (__VERIFIER_nondet_int()) break; } return 0; }
