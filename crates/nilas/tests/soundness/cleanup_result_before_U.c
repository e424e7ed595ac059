// never: safe
extern void reach_error(void);
static void done(int *p) { *p = 9; }
static int f(void) { int x __attribute__((cleanup(done))) = 4; return x; }
int main(void) { if (f() == 4) reach_error(); return 0; }
