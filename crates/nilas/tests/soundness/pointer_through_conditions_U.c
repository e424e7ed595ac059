// never: safe
extern void reach_error(void);
int a;
int main(void) { unsigned long u = (unsigned long)&a, v = 0; for (int i = 0; i < (int)(8 * sizeof u); i++) if (u >> i & 1) v |= 1ul << i; *(int *)v = 3; if (a == 3) reach_error(); return 0; }
