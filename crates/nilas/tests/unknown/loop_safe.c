// safe
void reach_error(void); void f(int *); void g(void);
int main(void){ int x = 0; for (int i = 0; i < 3; i++) { x = 0; if (x == 5) reach_error(); g(); if (i == 1) f(&x); } return 0; }
