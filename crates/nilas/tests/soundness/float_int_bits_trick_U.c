// never: safe
extern void reach_error(void);
int main(void) { float f = 6.5f; unsigned u = *(unsigned *)&f; if ((u >> 23 & 255) - 127 == 2 && (u & 0x7fffff) == 0x500000) reach_error(); return 0; }
