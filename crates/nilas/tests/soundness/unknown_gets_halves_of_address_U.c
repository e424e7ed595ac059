// never: safe
extern void reach_error(void);
void g(unsigned, unsigned);
int main(void) { int x = 0; unsigned long u = (unsigned long)&x; g(u, u >> 32); if (x == 2) reach_error(); return 0; }
