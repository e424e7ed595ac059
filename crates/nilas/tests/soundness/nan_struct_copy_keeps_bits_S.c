// never: unsafe
extern void reach_error(void);
struct s { float f; int k; }; union u { struct s s; unsigned w[2]; };
int main(void) { union u x; x.w[0] = 0x7fa00001u; x.w[1] = 3; struct s t; char *a = (char *)&t, *b = (char *)&x.s; for (unsigned i = 0; i < sizeof t; i++) a[i] = b[i]; union u y; y.s = t; if (y.w[1] != 3) reach_error(); return 0; }
