// never: safe
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int is(int v) { int x = __VERIFIER_nondet_int(); return x == v; }
int main(void) {
    int a[2] = {1, 1};
    a[is(-77777)] = is(300) + 5;
    if (a[1] == 6 && is(-9)) reach_error();
    return 0;
}
