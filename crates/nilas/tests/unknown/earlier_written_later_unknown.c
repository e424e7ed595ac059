// unknown
void reach_error(void); void f(int *); void g(void);
int main(void){ int x = 0; f(&x); x = 1; g(); if (x == 5) reach_error(); return 0; }
