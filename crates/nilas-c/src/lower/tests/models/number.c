#include <stdlib.h>
#include <limits.h>
#include <errno.h>
#include <inttypes.h>
int main(void) {
    char s[] = "12ab", x[] = "xy", t[] = "1.5e3z", h[] = "0xg", e0[] = "1e+", *e;
    CHECK(errno == 0)
    errno = 5;
    CHECK(errno == 5)
    CHECK(atoi("42") == 42)
    CHECK(atoi(" -7x") == -7)
    CHECK(atoi("x") == 0)
    CHECK(atol("123") == 123)
    CHECK(atoll("+9") == 9)
    CHECK(strtol(s, &e, 10) == 12 && e == s + 2)
    CHECK(strtol(x, &e, 10) == 0 && e == x)
    CHECK(strtol(h, &e, 16) == 0 && e == h + 1)
    CHECK(strtol("0x1f", &e, 16) == 31)
    CHECK(strtol("0x1f", 0, 0) == 31)
    CHECK(strtol("017", 0, 0) == 15)
    CHECK(strtol("zz", 0, 36) == 1295)
    CHECK(strtoll("-5", &e, 10) == -5)
    CHECK(strtoimax("77", 0, 8) == 63)
    errno = 0;
    CHECK(strtol("9223372036854775807", 0, 10) == LONG_MAX && errno == 0)
    CHECK(strtol("9223372036854775808", 0, 10) == LONG_MAX && errno == ERANGE)
    errno = 0;
    CHECK(strtol("-9223372036854775808", 0, 10) == LONG_MIN && errno == 0)
    CHECK(strtol("-99999999999999999999", 0, 10) == LONG_MIN && errno == ERANGE)
    errno = 0;
    CHECK(strtoul("18446744073709551615", 0, 10) == ULONG_MAX && errno == 0)
    CHECK(strtoul("-1", 0, 10) == ULONG_MAX && errno == 0)
    CHECK(strtoull("18446744073709551616", 0, 10) == ULLONG_MAX && errno == ERANGE)
    CHECK(strtol("5", 0, 1) == 0 && errno == EINVAL)
    strtod(t, &e);
    CHECK(e == t + 5)
    strtof(e0, &e);
    CHECK(e == e0 + 1)
    CHECK(strtod(x, &e) == 0 && e == x)
    CHECK(div(17, 5).quot == 3 && div(17, 5).rem == 2)
    CHECK(ldiv(-7, 2).quot == -3 && ldiv(-7, 2).rem == -1)
    CHECK(lldiv(9, 2).rem == 1)
    CHECK(abs(-3) == 3 && labs(-4L) == 4 && llabs(-5LL) == 5)
    return 0;
}
