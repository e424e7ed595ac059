// never: safe
extern void reach_error(void);
extern int *isotope(int);
int main(void) { int *p = isotope(1); if (p && *p == 1) reach_error(); return 0; }
