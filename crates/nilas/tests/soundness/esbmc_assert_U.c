// expect: unsafe
_Bool nondet_bool(void);
void __ESBMC_assume(_Bool);
void __ESBMC_assert(_Bool, const char *);
int main(void) {
    _Bool a = nondet_bool(), b = nondet_bool();
    __ESBMC_assume(a || b);
    __ESBMC_assert(a, "the first");
    return 0;
}
