// unsafe
void reach_error(void); int nd(void);
int main(void){ int x; __asm__ volatile("rdtsc" : "=a"(x)); if (nd() == 3) reach_error(); return 0; }
