// never: safe
extern void reach_error(void);
int printer(int *p) { *p = 7; return 1; }
int main(void) { int x = 0; printer(&x); if (x == 7) reach_error(); return 0; }
