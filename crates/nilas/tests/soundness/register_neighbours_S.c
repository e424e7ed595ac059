// never: unsafe
// options: --32
// The end of a register is where the next one begins.
extern void reach_error(void);
int main(void) {
    volatile unsigned char *p = (volatile unsigned char *)0x25, *q = (volatile unsigned char *)0x26;
    if (p + 1 != q) reach_error();
    return 0;
}
