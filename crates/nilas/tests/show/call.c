extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int twice(int x) { return x + x; }
int main(void) {
    int a = __VERIFIER_nondet_int();
    if (twice(a) != twice(a)) reach_error();
    return 0;
}
