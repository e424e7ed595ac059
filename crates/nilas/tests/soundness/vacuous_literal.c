// expect: unknown
extern void reach_error(void);
int main() { char *p = "abc"; p[0] = 'd'; reach_error(); return 0; }
