// never: safe
extern void reach_error(void);
void g(char *);
int main(void) { int x = 0; char b[8]; *(int **)b = &x; g(b); if (x == 2) reach_error(); return 0; }
