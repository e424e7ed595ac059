// never: unsafe
extern void reach_error(void);
int main(void) { unsigned char x = 0xf0; if (__sync_fetch_and_nand(&x, 0x3c) != 0xf0 || x != 0xcf) reach_error(); return 0; }
