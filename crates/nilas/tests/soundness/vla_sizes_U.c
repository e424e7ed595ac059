// never: safe
extern void reach_error(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
int main(void) { int n = __VERIFIER_nondet_uchar() + 1; int a[n]; a[n - 1] = 4; if (sizeof a == n * sizeof(int) && a[n - 1] == 4) reach_error(); return 0; }
