// unknown
void reach_error(void); int g; void cb(void) { g = 1; } void f(void (*)(void));
int main(void){ f(cb); if (g) reach_error(); return 0; }
