// never: safe
extern void reach_error(void);
static int k; static int next(void) { return ++k; }
static int minus(int a, int b) { return a - b; }
int main(void) { if (minus(next(), next()) == 1) reach_error(); return 0; }
