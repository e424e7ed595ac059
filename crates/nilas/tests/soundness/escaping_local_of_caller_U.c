// never: safe
extern void reach_error(void);
struct frame { struct frame *up; int v; } *top;
static int sum(int n) { struct frame f = { top, n }; top = &f; int s = 0; if (n) s = sum(n - 1); else for (struct frame *p = top; p; p = p->up) s += p->v; top = f.up; return s; }
int main(void) { if (sum(4) == 10) reach_error(); return 0; }
