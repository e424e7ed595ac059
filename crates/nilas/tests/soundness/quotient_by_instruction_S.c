// never: unsafe
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main() { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); if (y == 0) return 0; int q = x / y; if (x < 0 && y == -1 && q < 0) reach_error(); return 0; }
