// unknown
void reach_error(void); int g; void cb(void) { g = 1; } void reg(void (*)(void)); void run(void);
int main(void){ reg(cb); g = 0; run(); if (g) reach_error(); return 0; }
