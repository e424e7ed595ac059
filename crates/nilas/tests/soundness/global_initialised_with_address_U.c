// never: safe
extern void reach_error(void);
int a[5] = { 1, 2, 3 }; int *p = &a[1] + 1; struct { int **q; } s = { &p };
int main(void) { **s.q = 8; if (a[2] == 8) reach_error(); return 0; }
