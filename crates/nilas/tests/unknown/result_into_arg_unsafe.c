// unsafe
void reach_error(void); int *f(int *);
int main(void){ int x = 0; int *p = f(&x); if (p) { x = 0; *p = 3; if (x == 3) reach_error(); } return 0; }
