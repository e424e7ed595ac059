// never: safe
// options: --malloc-may-fail
extern void reach_error(void);
extern char *strdup(const char *);
int main(void) { char *p = strdup("a"); if (!p) reach_error(); return 0; }
