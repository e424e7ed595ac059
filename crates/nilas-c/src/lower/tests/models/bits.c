#include <limits.h>
#include <stddef.h>
#include <strings.h>
#include <arpa/inet.h>
int main(void) {
    int r;
    unsigned u;
    long l;
    CHECK(htonl(1) == 0x01000000)
    CHECK(ntohs(0x1234) == 0x3412)
    CHECK(__builtin_bswap64(1) == 1ull << 56)
    CHECK(ffs(8) == 4)
    CHECK(__builtin_ffsl(0) == 0)
    CHECK(__builtin_ffsll(1ll << 40) == 41)
    CHECK(__builtin_popcount(255) == 8 && __builtin_popcountll(-1ll) == 64)
    CHECK(__builtin_clz(1) == 31 && __builtin_clzll(1) == 63)
    CHECK(__builtin_ctz(8) == 3)
    CHECK(__builtin_clrsb(-1) == 31)
    CHECK(__builtin_clrsb(1) == 30)
    CHECK(__builtin_clrsb(0) == 31)
    CHECK(__builtin_parity(7) == 1)
    CHECK(!__builtin_sadd_overflow(1, 2, &r) && r == 3)
    CHECK(__builtin_smul_overflow(1 << 30, 4, &r) && r == 0)
    CHECK(__builtin_usub_overflow(1u, 2u, &u) && u == -1u)
    CHECK(!__builtin_saddl_overflow(INT_MAX, 1, &l) && l == INT_MAX + 1l)
    CHECK(__builtin_add_overflow(3000000000u, 0, &r))
    CHECK(__builtin_add_overflow_p(INT_MAX, 1, (int)0))
    CHECK(!__builtin_add_overflow_p(INT_MAX, 1, (long)0))
    CHECK(__builtin_expect(5, 1) == 5)
    return 0;
}
