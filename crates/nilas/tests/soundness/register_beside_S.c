// never: unsafe
// options: --32 --check-undefined
// What lies beside a register is not known, but it is no undefined behaviour to go there.
extern void reach_error(void);
#define REGISTERS ((volatile unsigned *)0x40000000)
int main(void) {
    REGISTERS[1] = 4;
    *(volatile unsigned char *)0x25 = 1;
    unsigned long n = 0x26;
    *(volatile unsigned char *)n = 1;
    return 0;
}
