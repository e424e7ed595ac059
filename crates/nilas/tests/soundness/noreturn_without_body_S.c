// expect: safe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
_Noreturn void die(int);
int main(void) { int x = __VERIFIER_nondet_int(); if (x <= 0) die(1); if (x <= 0) reach_error(); return 0; }
