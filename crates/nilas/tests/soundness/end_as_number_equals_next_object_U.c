// never: safe
extern void reach_error(void);
int x, y;
int main(void) { unsigned long u = (unsigned long)&x + 4, v = (unsigned long)&x - 4; if (u == (unsigned long)&y || v == (unsigned long)&y) reach_error(); return 0; }
