// never: safe
extern void reach_error(void);
int main(void) { union { long double l; unsigned char b[16]; } u = { .l = 1.0L }; if (u.b[7] == 0x80 && u.b[8] == 0xff && u.b[9] == 0x3f) reach_error(); return 0; }
