// never: unsafe
extern void reach_error(void);
struct s { char c; int i; long l; };
int main(void) { if ((unsigned long)&((struct s *)0)->i != 4) reach_error(); return 0; }
