// never: unsafe
extern void reach_error(void);
int twice(int x) { return 2 * x; }
extern int other(int) __asm__("twice");
int main(void) { if (other(4) != 8) reach_error(); return 0; }
