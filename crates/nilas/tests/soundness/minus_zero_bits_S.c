// never: unsafe
extern void reach_error(void);
int main(void) { union { double d; unsigned long long u; } x; x.d = -0.0; if (x.u != 0x8000000000000000ULL) reach_error(); x.d = 1.0; if (x.u != 0x3ff0000000000000ULL) reach_error(); return 0; }
