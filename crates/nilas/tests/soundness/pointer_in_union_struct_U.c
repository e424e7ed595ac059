// never: safe
extern void reach_error(void);
struct two { int *p; int k; }; union u { struct two t; char c[sizeof(struct two)]; };
int a;
int main(void) { union u x, y; x.t.p = &a; x.t.k = 2; for (unsigned i = 0; i < sizeof x; i++) y.c[i] = x.c[i]; *y.t.p = 7; if (a == 7 && y.t.k == 2) reach_error(); return 0; }
