// never: unsafe
extern void reach_error(void);
int main(void) { int n = 3; void *p = &&in; goto *p; { int a[n]; in: a[0] = 1; } reach_error(); return 0; }
