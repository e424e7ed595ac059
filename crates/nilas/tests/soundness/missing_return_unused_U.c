// never: safe
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int g;
int f(int x) { g = x; }
int main() { f(__VERIFIER_nondet_int()); if (g == 5) reach_error(); return 0; }
