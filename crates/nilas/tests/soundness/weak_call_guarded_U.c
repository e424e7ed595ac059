// never: safe
extern void reach_error(void);
extern int opt(int) __attribute__((weak));
int main(void) { int k = opt ? opt(1) : 2; if (k == 2) reach_error(); return 0; }
