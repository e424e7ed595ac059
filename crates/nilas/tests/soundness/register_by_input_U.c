// never: safe
// options: --32
// A number that is an input may be that of a register, which is no null pointer in the first page either.
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
    unsigned long n = __VERIFIER_nondet_ulong();
    *(volatile unsigned char *)0x25 = 1;
    if (n != 0x25) return 0;
    *(unsigned char *)n = 7;
    if (*(volatile unsigned char *)n != 1) reach_error();
    return 0;
}
