// unknown
void reach_error(void); void f(int *); void g(void);
int main(void){ for (int i = 0; i < 2; i++) { int x = 1; f(&x); x = 1; g(); if (x != 1) reach_error(); } return 0; }
