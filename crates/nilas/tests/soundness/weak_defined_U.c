// never: safe
extern void reach_error(void);
__attribute__((weak)) int f(void) { return 3; }
int main(void) { if (f && f() == 3) reach_error(); return 0; }
