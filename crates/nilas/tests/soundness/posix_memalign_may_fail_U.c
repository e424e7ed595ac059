// never: safe
// options: --malloc-may-fail
extern void reach_error(void);
extern int posix_memalign(void **, unsigned long, unsigned long);
int main(void) { void *p = 0; if (posix_memalign(&p, 16, 32) != 0) reach_error(); return 0; }
