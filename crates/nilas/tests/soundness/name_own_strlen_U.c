// never: safe
extern void reach_error(void);
static int strlen_max(const char *s, int m) { int n = 0; while (n < m && s[n]) n++; return n; }
int main(void) { if (strlen_max("hello", 3) == 3) reach_error(); return 0; }
