// never: safe
extern void reach_error(void);
int x = 1; extern int y __attribute__((alias("x")));
int main(void) { y = 5; if (x == 5) reach_error(); return 0; }
