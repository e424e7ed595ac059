// expect: safe
// options: --unknown-functions nothing
extern void reach_error(void);
int *f(void) __attribute__((returns_nonnull));
int main(void) { if (!f()) reach_error(); return 0; }
