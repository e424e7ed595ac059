// never: safe
extern void reach_error(void);
static int count;
static void done(int *p) { count += *p; }
int main(void) { for (int i = 0; i < 5; i++) { int x __attribute__((cleanup(done))) = 3; if (i == 1) break; } if (count == 6) reach_error(); return 0; }
