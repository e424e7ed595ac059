// never: unsafe
extern void reach_error(void);
int main(void) { volatile int x = 3; x = x + 1; if (x != 4) reach_error(); return 0; }
