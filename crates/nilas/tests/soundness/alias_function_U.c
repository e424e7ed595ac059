// never: safe
extern void reach_error(void);
int real(int k) { return k + 1; }
int again(int) __attribute__((alias("real")));
int main(void) { if (again(1) == 2) reach_error(); return 0; }
