// never: safe
extern void reach_error(void);
extern int *lookup(int);
int main(void) { int *a = lookup(1), *b = lookup(1); if (a && a == b) { *a = 3; *b = 4; if (*a == 4) reach_error(); } return 0; }
