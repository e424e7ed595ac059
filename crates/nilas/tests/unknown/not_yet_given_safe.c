// safe
void reach_error(void); void f(int *); void g(void);
int main(void){ int x = 0; g(); if (x == 5) reach_error(); f(&x); return 0; }
