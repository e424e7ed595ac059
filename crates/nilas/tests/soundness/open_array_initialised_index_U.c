// expect: unsafe
// An element behind the first ones, written at an index that is an input.
void reach_error(void);
int __VERIFIER_nondet_int(void);
struct row { int n; int d[]; };
static struct row row = {3, {1, 2, 3}};
int main(void) {
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 2) return 0;
    row.d[i] = 40;
    if (row.d[2] == 40 && row.n == 3) reach_error();
    return 0;
}
