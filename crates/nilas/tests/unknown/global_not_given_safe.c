// safe
void reach_error(void); void f(int *); int g;
int main(void){ int x = 0; g = 1; f(&x); if (g != 1) reach_error(); return 0; }
