// never: unsafe
extern void reach_error(void);
static int round(int x) { return (x + 5) / 10 * 10; }
int main(void) { if (round(7) != 10 || round(4) != 0) reach_error(); return 0; }
