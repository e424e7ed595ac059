// never: safe
extern void reach_error(void);
int main(void) { int a[3] = { 1, 2, 3 }, s = 0; for (int *p = a; p != a + 3; p++) s += *p; if (s == 6) reach_error(); return 0; }
