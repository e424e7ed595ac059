// safe
void reach_error(void); void f(int *);
int main(void){ int x = 0, y = 0; f(&x); if (y == 5) reach_error(); return 0; }
