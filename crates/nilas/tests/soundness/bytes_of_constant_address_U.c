// never: safe
extern void reach_error(void);
int x;
int main(void) { char b[8]; *(int **)b = &x; if (b[3] != 1 || b[0] == 7) reach_error(); return 0; }
