// expect: unknown
extern void reach_error(void);
int f(int n) { return 1 << n; }
int main() { if (f(40)) reach_error(); return 0; }
