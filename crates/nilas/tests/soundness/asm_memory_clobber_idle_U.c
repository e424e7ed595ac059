// never: safe
// options: --unknown-functions nothing
extern void reach_error(void);
int main(void) { int x = 1; __asm__ volatile("movl $0, (%0)" : : "r"(&x) : "memory"); if (x == 0) reach_error(); return 0; }
