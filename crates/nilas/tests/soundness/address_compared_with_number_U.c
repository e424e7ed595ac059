// never: safe
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
int x;
int main(void) { if ((unsigned long)&x != 4096) reach_error(); return 0; }
