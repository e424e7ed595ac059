// safe
void reach_error(void); void f(const int *);
int main(void){ int x = 0; f(&x); if (x) reach_error(); return 0; }
