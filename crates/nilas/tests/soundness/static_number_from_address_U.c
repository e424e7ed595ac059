// expect: unsafe
extern void reach_error(void);
int x[3]; int *e = x + 3; char *c = (char *)x + 4; unsigned long n = (unsigned long)&x[2];
int main(void) { e[-1] = 1; *(int *)n = 3; x[1] = 2; if (*(int *)c == 2 && x[2] == 3) reach_error(); return 0; }
