// safe
void reach_error(void); int g; void cb(int x) { if (g < 10) g++; } void f(void (*)(int));
int main(void){ f(cb); if (g > 10) reach_error(); return 0; }
