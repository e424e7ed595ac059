// never: safe
extern void reach_error(void);
extern int *string_copy(int *);
int main(void) { int x = 1; int *p = string_copy(&x); if (p && *p == 9) reach_error(); return 0; }
