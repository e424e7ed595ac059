// expect: safe
// options: --unknown-functions nothing
extern void reach_error(void);
int x = 1;
int main(void) { __asm__ volatile("mfence" : : : "memory"); if (x != 1) reach_error(); return 0; }
