// never: safe
extern void reach_error(void);
int a, *p = &a;
int main(void) { int *q; __atomic_load(&p, &q, 5); *q = 5; if (a == 5) reach_error(); return 0; }
