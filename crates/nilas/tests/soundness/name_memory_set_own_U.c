// never: safe
extern void reach_error(void);
static void memset_all(int *p, int v) { *p = v; }
int main(void) { int x = 0; memset_all(&x, 3); if (x == 3) reach_error(); return 0; }
