// never: safe
extern void reach_error(void);
struct s { int a, b; };
extern struct s *p; extern int *q;
int main(void) { if (p && q == &p->b) { p->b = 1; *q = 5; if (p->b == 5) reach_error(); } return 0; }
