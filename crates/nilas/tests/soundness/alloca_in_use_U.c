// never: safe
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int sum(int *p, int n) { int s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
int f(int n) { int *p = __builtin_alloca(4 * sizeof *p); for (int i = 0; i < 4; i++) p[i] = n; return sum(p, 4); }
int main() { if (f(__VERIFIER_nondet_int()) == 8 && f(1) == 4) reach_error(); return 0; }
