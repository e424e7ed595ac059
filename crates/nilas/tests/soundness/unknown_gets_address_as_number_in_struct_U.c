// never: safe
extern void reach_error(void);
struct w { unsigned long u; }; void g(struct w *);
int main(void) { int x = 0; struct w w = { (unsigned long)&x }; g(&w); if (x == 2) reach_error(); return 0; }
