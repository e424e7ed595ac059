// unsafe
void reach_error(void); void f(int *); int n(void);
int main(void){ int x = 0; f(&x); if (n() == 5) reach_error(); return 0; }
