// never: safe
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct F { int n; char d[]; };
struct F f = { 3, { 1, 2, 3, 4 } };
int main() { char b[4] = { 5, 6, 7, 8 }; if (__VERIFIER_nondet_int()) __builtin_memcpy(f.d, b, 4); else return 0; reach_error(); return 0; }
