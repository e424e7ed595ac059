// never: safe
extern void reach_error(void);
static int three(void) { return 3; } static int four(void) { return 4; }
int main(void) { void *p[2] = { (void *)three, (void *)four }; unsigned long u = (unsigned long)p[1]; if (((int (*)(void))u)() == 4) reach_error(); return 0; }
