// never: safe
extern void reach_error(void);
int a; static const unsigned char same[4] = { 0, 1, 2, 3 };
int main(void) { int *p = &a, *q; for (unsigned i = 0; i < sizeof p; i++) { unsigned char c = ((unsigned char *)&p)[i], d = 0; for (int k = 0; k < 8; k += 2) d |= same[c >> k & 3] << k; ((unsigned char *)&q)[i] = d; } *q = 3; if (a == 3) reach_error(); return 0; }
