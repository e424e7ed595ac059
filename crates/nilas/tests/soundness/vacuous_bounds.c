// expect: unknown
extern void reach_error(void);
int main() { int a[3] = { 1 }; int i = 7; if (a[i]) reach_error(); return 0; }
