extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    char cells[4] = {1, 2, 3, 4};
    unsigned i = __VERIFIER_nondet_uint();
    cells[i] = 0;
    if (cells[3] > 4) reach_error();
    return 0;
}
