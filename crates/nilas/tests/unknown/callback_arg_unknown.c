// unknown
void reach_error(void); void cb(int *p) { if (p) *p = 4; } void f(void (*)(int *), int *);
int main(void){ int x = 0; f(cb, &x); x = 0; f(cb, 0); if (x == 4) reach_error(); return 0; }
