extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y;
    if (x < 0 && x != -5)
        y = -x;
    else
        y = x;
    if (y == 7) reach_error();
    return 0;
}
