// never: safe
extern void reach_error(void);
int a[2], b[2];
int main(void) { if (&b[0] - &a[0] == 2 || &a[0] - &b[0] == 2) reach_error(); return 0; }
