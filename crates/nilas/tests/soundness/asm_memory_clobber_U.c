// never: safe
extern void reach_error(void);
int g;
int main(void) { int x = 1; __asm__ volatile("movl $0, (%0)" : : "r"(&x) : "memory"); if (x == 0) reach_error(); return 0; }
