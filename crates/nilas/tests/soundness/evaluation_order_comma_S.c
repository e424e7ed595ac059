// never: unsafe
extern void reach_error(void);
static int k; static int set(int v) { k = v; return v; }
int main(void) { int s = (set(1), set(2)); if (s != 2 || k != 2) reach_error(); return 0; }
