// safe
void reach_error(void); void f(int **); int y;
int main(void){ int x = 1; int *p = &x; f(&p); if (p == &y) reach_error(); return 0; }
