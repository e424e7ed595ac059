// unsafe
void reach_error(void); void f(int *); int n(void);
int main(void){ int x = 0; int k = n(); f(&x); if (k == x) reach_error(); return 0; }
