// never: safe
extern void reach_error(void);
static int index(int *a, int n) { return a[n]; }
int main(void) { int a[2] = { 1, 2 }; if (index(a, 1) == 2) reach_error(); return 0; }
