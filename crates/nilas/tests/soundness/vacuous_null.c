// expect: unknown
extern void reach_error(void);
int main() { int *p = 0; if (*p) reach_error(); return 0; }
