// never: safe
extern void reach_error(void);
int x, y;
int main(void) { if (&x + 1 == &y || &y + 1 == &x) reach_error(); return 0; }
