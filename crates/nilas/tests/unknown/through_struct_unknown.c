// unknown
void reach_error(void); struct s { int *p; int n; }; void f(struct s *);
int main(void){ int x = 1; struct s s = { &x, 2 }; f(&s); if (x == 7) reach_error(); return 0; }
