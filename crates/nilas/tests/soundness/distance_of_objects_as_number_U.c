// never: safe
extern void reach_error(void);
int x, y;
int main(void) { long d = (long)&y - (long)&x; int *p = (int *)((char *)&x + d); *p = 5; if (y == 5) reach_error(); return 0; }
