// safe
void reach_error(void);
int main(void){ int x = 3, y; __asm__("" : "=r"(y) : "0"(x)); if (y != 3) reach_error(); return 0; }
