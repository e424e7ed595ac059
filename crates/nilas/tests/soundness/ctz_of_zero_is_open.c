// expect: unknown
extern void reach_error(void);
int main(void) { unsigned n = 0; if (__builtin_ctz(n) == 32) reach_error(); return 0; }
