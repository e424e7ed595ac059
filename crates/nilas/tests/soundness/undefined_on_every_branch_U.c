// expect: unknown
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(){ int z=0; int c=__VERIFIER_nondet_int(); int r; if (c) r = 1/z; else r = 2%z; reach_error(); return r;}
