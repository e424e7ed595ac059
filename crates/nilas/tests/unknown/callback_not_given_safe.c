// safe
void reach_error(void); int g; static int cb(int x) { g = x; return 0; } static int (*fp)(int) = cb; void reg(int *);
int main(void){ int y; reg(&y); if (g == 42) reach_error(); fp(0); return 0; }
