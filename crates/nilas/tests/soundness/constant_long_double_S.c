// expect: safe
extern void reach_error(void);
static int eq = (1.0L + 0x1p-60L) == 1.0L;
int main(void) { if (eq) reach_error(); return 0; }
