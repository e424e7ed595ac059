// never: unsafe
extern void reach_error(void);
struct s { int a, b; };
extern struct s *p, *q;
int main(void) { if (p && p == q) { p->b = 1; q->b = 5; if (p->b != 5) reach_error(); } return 0; }
