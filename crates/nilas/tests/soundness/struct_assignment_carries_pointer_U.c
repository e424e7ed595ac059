// never: safe
extern void reach_error(void);
struct inner { int *p[2]; }; struct outer { int k; struct inner i; };
int a, b;
static struct outer make(int *p, int *q) { struct outer o = { 1, { { p, q } } }; return o; }
int main(void) { struct outer o = make(&a, &b), c; c = o; *c.i.p[1] = 5; if (b == 5) reach_error(); return 0; }
