// safe
void reach_error(void); void f(int *); void h(void) { int x; f(&x); }
int main(void){ int y = 1; h(); h(); if (y != 1) reach_error(); return 0; }
