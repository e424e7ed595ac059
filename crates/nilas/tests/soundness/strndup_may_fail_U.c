// never: safe
// options: --malloc-may-fail
extern void reach_error(void);
extern char *strndup(const char *, unsigned long);
int main(void) { char *p = strndup("abc", 2); if (!p) reach_error(); return 0; }
