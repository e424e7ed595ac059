// never: safe
extern void reach_error(void);
int x, y;
int main(void) { int *p = &x; p++; if (p == &y) reach_error(); p -= 1; if (p != &x) return 1; return 0; }
