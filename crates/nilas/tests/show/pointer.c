extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int a = 1, b = 2;
    int *p = __VERIFIER_nondet_int() ? &a : &b;
    *p = 5;
    if (a == 5 && b == 5) reach_error();
    return 0;
}
