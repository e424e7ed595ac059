// never: safe
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int a[4]; int *p = a;
int main(void) { if (__VERIFIER_nondet_int()) { __sync_fetch_and_add(&p, sizeof(int)); *p = 5; if (a[1] == 5) reach_error(); } return 0; }
