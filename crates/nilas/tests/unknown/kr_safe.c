// safe
void reach_error(void); int f();
int main(void){ int x = 0; f(x); if (x == 4) reach_error(); return 0; }
