// never: safe
extern void reach_error(void);
extern int **pp;
int x;
int main(void) { if (pp) { *pp = &x; **pp = 8; if (x == 8) reach_error(); } return 0; }
