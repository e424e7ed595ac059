// never: safe
extern void reach_error(void);
static int k;
__attribute__((constructor(300))) static void second(void) { k = k * 10 + 2; }
__attribute__((constructor(200))) static void first(void) { k = k * 10 + 1; }
int main(void) { if (k == 12) reach_error(); return 0; }
