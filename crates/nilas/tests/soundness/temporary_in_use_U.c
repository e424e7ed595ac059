// never: safe
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct S { int a[2]; };
struct S f(int x) { struct S s = { { x, x + 1 } }; return s; }
int sum(int *p) { return p[0] + p[1]; }
int main() { if (sum(f(__VERIFIER_nondet_int()).a) == 7 && f(1).a[1] == 2) reach_error(); return 0; }
