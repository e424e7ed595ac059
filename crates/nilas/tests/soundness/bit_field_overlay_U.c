// never: safe
extern void reach_error(void);
union { struct { unsigned a : 5, b : 11, c : 16; } f; unsigned char b[4]; } x;
int main(void) { x.f.a = 17; x.f.b = 1025; x.f.c = 0xabcd; if (x.b[0] == 0x31 && x.b[1] == 0x80 && x.b[3] == 0xab) reach_error(); return 0; }
