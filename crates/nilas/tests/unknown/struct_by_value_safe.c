// safe
void reach_error(void); struct s { int *p; int n; }; void f(struct s);
int main(void){ int x = 1; struct s s = { &x, 2 }; f(s); if (s.n != 2) reach_error(); return 0; }
