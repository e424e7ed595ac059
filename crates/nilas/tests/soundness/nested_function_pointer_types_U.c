// never: safe
extern void reach_error(void);
typedef int (*op)(int); static int inc(int x) { return x + 1; } static int dec(int x) { return x - 1; }
static op choose(int k) { return k ? inc : dec; }
int main(void) { op (*c)(int) = choose; op *t[2]; op a = c(0), b = c(1); t[0] = &a; t[1] = &b; if ((*t[0])(3) == 2 && (**t[1])(3) == 4) reach_error(); return 0; }
