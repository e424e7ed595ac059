// never: safe
extern void reach_error(void);
int main(void) { int a[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }, s = 0, *p = &a[0][0]; for (int i = 0; i < 6; i++) s += p[i]; if (s == 21) reach_error(); return 0; }
