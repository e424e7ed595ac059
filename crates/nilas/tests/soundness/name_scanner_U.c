// never: safe
extern void reach_error(void);
extern int scanner(int **p);
int main(void) { int *p = 0; if (scanner(&p) && p && *p == 3) reach_error(); return 0; }
