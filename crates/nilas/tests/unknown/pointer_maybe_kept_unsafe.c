// unsafe
void reach_error(void); void f(int **);
int main(void){ int x = 1; int *p = &x; f(&p); if (p == &x) reach_error(); return 0; }
