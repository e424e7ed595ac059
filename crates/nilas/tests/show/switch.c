extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int state = 0;
    while (1) {
        switch (state) {
        case 0: state = __VERIFIER_nondet_int() ? 1 : 2; break;
        case 1: state = 2; /* falls through */
        case 2: state = 0; break;
        default: reach_error();
        }
    }
}
