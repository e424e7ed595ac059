// never: safe
// options: --32
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int d = -1;
int main() { long long x = __VERIFIER_nondet_int(); if (x != -1) return 0; x <<= 63; d = __VERIFIER_nondet_int(); if (d == -1 && x / d == x) reach_error(); return 0; }
