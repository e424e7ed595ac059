// expect: unsafe
int nondet_int(void);
int main(void) {
    int x = nondet_int();
    __CPROVER_assume(x > 3);
    __CPROVER_assert(x > 2, "larger");
    __CPROVER_assert(x != 7, "not seven");
    return 0;
}
