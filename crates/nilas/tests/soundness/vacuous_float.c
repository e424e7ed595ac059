// expect: unknown
extern void reach_error(void);
int main() { double d = 1e30; int i = (int)d; if (i) reach_error(); return 0; }
