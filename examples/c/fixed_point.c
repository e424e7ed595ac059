// expect: safe
// expect[bmc, pred-abs]: unknown
//
// Multiplication of 16.16 fixed-point numbers: with a factor of at most one, nothing grows.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

typedef int fixed;
#define ONE 65536

static fixed multiply(fixed left, fixed right) {
    return (fixed)(((long long)left * right) >> 16);
}

int main(void) {
    fixed signal = __VERIFIER_nondet_int();
    if (signal < -100 * ONE || signal > 100 * ONE) return 0;
    while (1) {
        fixed gain = __VERIFIER_nondet_int();
        if (gain < 0 || gain > ONE) continue;
        signal = multiply(signal, gain);
        if (signal < -100 * ONE || signal > 100 * ONE) reach_error();
    }
}
