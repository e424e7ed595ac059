// expect: unsafe
extern void reach_error(void);
static long long v = (long long)9223372036854775807.0L;
int main(void) { if (v == 9223372036854775807LL) reach_error(); return 0; }
