// expect: safe
// A bit-field wider than `int` has exactly its width in arithmetic, as in GCC.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct s { unsigned long long a : 40; long long b : 40; unsigned long long c : 35; int d : 9; };
int main(void)
{
    struct s x;
    x.a = -1; x.b = -1; x.c = 5; x.d = __VERIFIER_nondet_int();
    if ((x.a << 20) != 0xfffff00000ULL) reach_error();
    if (x.a + 1 != 0) reach_error();
    if (x.a != -1) reach_error();
    if (~x.c != 0x7fffffffaULL) reach_error();
    if (x.a * x.c != 0xfffffffffbULL) reach_error();
    if (-x.c != 0x7fffffffbULL) reach_error();
    if ((unsigned long long)x.a + 1 != 0x10000000000ULL) reach_error();
    if (x.a + 1ULL != 0x10000000000ULL) reach_error();
    x.a = 0;
    if (!(x.a - 1LL < 0)) reach_error();
    if (x.a - 1 < 0) reach_error();
    if (x.a - 1 != 0xffffffffffULL) reach_error();
    x.b = 0x7fffffffffLL;
    if ((x.b << 1) != -2) reach_error();
    if ((__VERIFIER_nondet_int() ? x.a - 1 : -1) + 1 != 0) reach_error();
    x.a = 0; x.a--;
    if (x.a-- + 1 != 0) reach_error();
    if (x.a != 0xfffffffffeULL) reach_error();
    if ((x.a += 3) - 2 != 0xffffffffffULL) reach_error();
    return 0;
}
