// unknown
void reach_error(void); int g; static void a(void) { g = 1; } static void b(void) { g = 2; } static void (*table[2])(void) = { a, b }; void run(void (**)(void));
int main(void){ run(table); if (g == 2) reach_error(); return 0; }
