// never: safe
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct F { int n; char d[]; };
struct F f = { 3, { 1, 2, 3, 4 } };
int main() { __builtin_memset(f.d + __VERIFIER_nondet_int() * 0, 7, 4); reach_error(); return 0; }
