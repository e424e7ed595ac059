// never: safe
extern void reach_error(void);
int a;
int main(void) { int *p = &a, *q; unsigned char r[sizeof p]; for (unsigned i = 0; i < sizeof p; i++) r[sizeof p - 1 - i] = ((unsigned char *)&p)[i]; for (unsigned i = 0; i < sizeof p; i++) ((unsigned char *)&q)[i] = r[sizeof p - 1 - i]; *q = 3; if (a == 3) reach_error(); return 0; }
