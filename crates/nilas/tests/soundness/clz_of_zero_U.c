// never: safe
extern void reach_error(void);
int main(void) { unsigned n = 0; if (__builtin_clz(n) | 1) reach_error(); return 0; }
