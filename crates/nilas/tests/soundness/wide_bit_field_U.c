// expect: unsafe
// A bit-field wider than `int` has exactly its width in arithmetic, as in GCC.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct s { unsigned long long a : 40; };
int main(void)
{
    struct s x;
    x.a = __VERIFIER_nondet_int();
    if (x.a != 0 && x.a + x.a == 0) reach_error();
    if (x.a == -1 && x.a + 1 == 0) reach_error();
    return 0;
}
