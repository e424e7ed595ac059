// never: safe
extern void reach_error(void);
int a, b, *p = &a;
int main(void) { int *q = &b, *old; __atomic_exchange(&p, &q, &old, 5); *old = 6; *p = 5; if (b == 5 && a == 6) reach_error(); return 0; }
