// never: unsafe
extern void reach_error(void);
int a;
int main(void) { unsigned long t = (unsigned long)&a | 1; *(int *)(t & ~1ul) = 9; if (a != 9) reach_error(); return 0; }
