// never: safe
extern void reach_error(void);
static int k;
__attribute__((destructor(200))) static void late(void) { k = k * 10 + 2; if (k == 12) reach_error(); }
__attribute__((destructor(300))) static void early(void) { k = k * 10 + 1; }
int main(void) { return 0; }
