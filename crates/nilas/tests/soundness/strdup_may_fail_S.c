// never: unsafe
// options: --malloc-may-fail
extern void reach_error(void);
extern char *strdup(const char *);
int main(void) { char *p = strdup("a"); if (p && p[0] != 'a') reach_error(); return 0; }
