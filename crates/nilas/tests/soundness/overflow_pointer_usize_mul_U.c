// never: safe
extern void reach_error(void);
int x;
int main(void) { unsigned long u; __builtin_umull_overflow((unsigned long)&x, 1ul, &u); *(int *)u = 7; if (x == 7) reach_error(); return 0; }
