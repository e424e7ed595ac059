// never: unsafe
extern void reach_error(void);
int main(void) { const char *a = "abc"; char b[] = "abc"; if (a == b) reach_error(); return 0; }
