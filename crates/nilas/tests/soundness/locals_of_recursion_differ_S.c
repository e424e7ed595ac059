// never: unsafe
extern void reach_error(void);
static int deep(int n, int *up) { int x = n; if (up && &x == up) return 1; return n ? deep(n - 1, &x) : 0; }
int main(void) { if (deep(3, 0)) reach_error(); return 0; }
