// expect: unsafe
extern void reach_error(void);
enum { N = (int)((1.0L + 0x1p-60L - 1.0L) * 0x1p60L) };
int main(void) { if (N == 1) reach_error(); return 0; }
