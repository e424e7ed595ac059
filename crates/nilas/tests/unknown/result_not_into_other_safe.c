// safe
void reach_error(void); int *f(int *);
int main(void){ int x = 0, y = 0; int *p = f(&x); if (p) { *p = 3; if (y == 3) reach_error(); } return 0; }
