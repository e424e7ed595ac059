// never: safe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int a, b; int *p = &a;
int main(void) { if (__VERIFIER_nondet_int()) { int *old = __sync_lock_test_and_set(&p, &b); *p = 5; *old = 6; if (a == 6 && b == 5) reach_error(); } return 0; }
