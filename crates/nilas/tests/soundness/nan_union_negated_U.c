// never: safe
extern void reach_error(void);
int main(void) { union { float f; unsigned u; } x; x.u = 0x7fc00001u; x.f = -x.f; if (x.u == 0xffc00001u) reach_error(); return 0; }
