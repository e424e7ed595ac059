// never: safe
extern void reach_error(void);
int a, b, *p = &a;
int main(void) { int *expected = &a; if (__atomic_compare_exchange_n(&p, &expected, &b, 0, 5, 5)) { *p = 2; if (b == 2) reach_error(); } return 0; }
