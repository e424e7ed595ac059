// unknown
void reach_error(void); void f(int *);
int main(void){ int x = 0; void (*h)(int *) = f; h(&x); if (x == 5) reach_error(); return 0; }
