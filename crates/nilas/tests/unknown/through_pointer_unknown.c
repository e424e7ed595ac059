// unknown
void reach_error(void); void f(int **);
int main(void){ int x = 1; int *p = &x; f(&p); if (x == 7) reach_error(); return 0; }
