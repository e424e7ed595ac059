// expect: unknown
extern void reach_error(void);
int main(void) { int *p = 0; for (int i = 0; i < 2; i++) { int x = i; if (p && p == &x) reach_error(); p = &x; } return 0; }
