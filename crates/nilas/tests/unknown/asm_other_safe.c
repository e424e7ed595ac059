// safe
void reach_error(void);
int main(void){ int x, y = 2; __asm__ volatile("rdtsc" : "=a"(x)); if (y != 2) reach_error(); return 0; }
