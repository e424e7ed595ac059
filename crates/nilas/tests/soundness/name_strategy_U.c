// never: safe
extern void reach_error(void);
extern void strategy(int ***out);
int main(void) { int **p = 0; strategy(&p); if (p && *p && **p == 4) reach_error(); return 0; }
