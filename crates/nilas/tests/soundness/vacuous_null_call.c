// expect: unknown
extern void reach_error(void);
int main() { void (*f)(void) = 0; f(); reach_error(); return 0; }
