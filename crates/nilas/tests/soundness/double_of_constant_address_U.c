// never: safe
extern void reach_error(void);
int x;
int main(void) { double d; *(int **)&d = &x; if (d != 1.0) reach_error(); return 0; }
