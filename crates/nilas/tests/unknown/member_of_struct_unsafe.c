// unsafe
void reach_error(void); struct s { int a, b; }; int *second(struct s *);
int main(void){ struct s s = { 1, 2 }; int *p = second(&s); if (p == &s.b) { s.b = 2; *p = 9; if (s.b == 9) reach_error(); } return 0; }
