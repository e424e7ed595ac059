// never: safe
// options: --32
// A register in the first page has the number that the program gives it.
extern void reach_error(void);
int main(void) {
    volatile unsigned char *p = (volatile unsigned char *)0x25;
    if ((unsigned long)p == 0x25) reach_error();
    return 0;
}
