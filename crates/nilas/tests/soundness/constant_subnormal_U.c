// expect: unsafe
extern void reach_error(void);
static int zero = 0x100000p-1090 == 0.0;
int main(void) { if (!zero) reach_error(); return 0; }
