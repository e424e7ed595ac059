// expect: unknown
extern void reach_error(void);
void f(void) __attribute__((noreturn));
void f(void) { }
int main() { f(); reach_error(); return 0; }
