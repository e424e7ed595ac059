// never: unsafe
extern void reach_error(void);
int main(void) {
    unsigned char c; if (!__builtin_add_overflow(200, 100, &c) || c != 44) reach_error();
    long long l; if (__builtin_mul_overflow(3000000000u, 2, &l) || l != 6000000000LL) reach_error();
    unsigned u; if (!__builtin_sub_overflow(1, 2, &u) || u != 4294967295u) reach_error();
    if (__builtin_add_overflow_p(1, 2, (int)0)) reach_error();
    return 0;
}
