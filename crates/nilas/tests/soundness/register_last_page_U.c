// never: safe
// options: --32
// The last addresses are no error numbers where registers lie there.
extern void reach_error(void);
int main(void) {
    volatile unsigned *p = (volatile unsigned *)0xfffff100;
    if ((unsigned long)p >= 0xfffff001) reach_error();
    return 0;
}
