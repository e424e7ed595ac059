// never: safe
// An object may lie at any of the numbers that the input can be.
extern void reach_error(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
int x;
int main(void) {
    unsigned long n = __VERIFIER_nondet_ulong();
    if (n < 0x10000 || n > 0x20000) return 0;
    unsigned long u = (unsigned long)&x;
    if (!(u - n)) reach_error();
    return 0;
}
