// unknown
void reach_error(void); void f(unsigned long);
int main(void){ int x = 0; unsigned long a = (unsigned long)&x; f(a); if (x == 77) reach_error(); return 0; }
