// safe
void reach_error(void); void f(int *); void g(void); void h(void) { int x = 1; g(); if (x != 1) reach_error(); f(&x); }
int main(void){ h(); return 0; }
