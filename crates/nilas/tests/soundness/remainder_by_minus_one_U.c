// never: safe
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main() { int x = __VERIFIER_nondet_int(); if (x == -2147483647 - 1 && x % -1 == 0) reach_error(); return 0; }
