// never: safe
extern void reach_error(void);
void g(double);
int main(void) { int x = 0; union { int *p; double d; } u; u.p = &x; g(u.d); if (x == 2) reach_error(); return 0; }
