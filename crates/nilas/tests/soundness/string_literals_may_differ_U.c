// never: safe
extern void reach_error(void);
int main(void) { const char *a = "abc", *b = "xabc"; if (a != b + 1) reach_error(); return 0; }
