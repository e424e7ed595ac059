// never: safe
extern void reach_error(void);
static int malloc_count(int n) { return n + 1; }
static int free_slots(int n) { return n - 1; }
int main(void) { if (malloc_count(2) + free_slots(2) == 4) reach_error(); return 0; }
