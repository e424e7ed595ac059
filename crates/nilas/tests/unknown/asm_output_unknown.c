// unknown
void reach_error(void);
int main(void){ int x; __asm__("mov $1, %0" : "=r"(x)); if (x == 1) reach_error(); return 0; }
