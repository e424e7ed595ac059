// never: safe
extern void reach_error(void);
int x;
int main(void) { long d = (char *)&x - (char *)0; *(int *)d = 4; if (x == 4) reach_error(); return 0; }
