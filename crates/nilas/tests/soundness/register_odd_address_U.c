// never: safe
// options: --32
// The alignment of a register is that of its number, whatever its type.
extern void reach_error(void);
int main(void) {
    volatile unsigned *p = (volatile unsigned *)0x40000002;
    if (((unsigned long)p & 3) == 2) reach_error();
    return 0;
}
