// never: safe
extern void reach_error(void);
int a, b, *p = &a;
int main(void) { int *q = &b; __atomic_store(&p, &q, 5); *p = 5; if (b == 5) reach_error(); return 0; }
