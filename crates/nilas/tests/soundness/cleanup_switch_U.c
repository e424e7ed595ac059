// never: safe
extern void reach_error(void);
static int seen;
static void done(char *p) { seen = *p; }
static void f(int k) { switch (k) { case 1: { char c __attribute__((cleanup(done))) = 'q'; break; } default: seen = 0; } }
int main(void) { f(1); if (seen == 'q') reach_error(); return 0; }
