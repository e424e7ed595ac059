// safe
void reach_error(void); void f(int **); int y;
int main(void){ int x = 1; int *p = &x; int *q = &y; f(&p); if (p == q) reach_error(); return 0; }
