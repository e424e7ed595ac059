// expect: safe
int nondet_int(void);
int main(void) {
    int x = nondet_int();
    __CPROVER_assume(x > 3);
    __CPROVER_assert(x > 2, "larger");
    return 0;
}
