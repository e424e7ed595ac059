// expect: unsafe
extern void reach_error(void);
static int eq = (float)0xffffffffffffffffULL == 0x1p64f;
int main(void) { if (eq) reach_error(); return 0; }
