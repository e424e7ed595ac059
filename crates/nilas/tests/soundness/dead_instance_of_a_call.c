// expect: unknown
extern void reach_error(void);
int *g;
static int f(int v) { int x = v; if (g && g != &x) reach_error(); g = &x; return x; }
int main(void) { f(1); f(2); return 0; }
