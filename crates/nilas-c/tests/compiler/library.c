/* Calls of library functions; the machine and Nilas must compute the same checksum. */
#include <ctype.h>
#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>
unsigned long long checksum;
static void mix(unsigned long long v) { checksum = (checksum ^ v) * 1099511628211ULL + (checksum >> 29); }
static void mixd(double d) { union { double d; unsigned long long u; } b; b.d = d; mix(d != d ? 77 : b.u); }
static void mixf(float f) { union { float f; unsigned u; } b; b.f = f; mix(f != f ? 79 : b.u); }
static const double doubles[] = { 0.0, -0.0, 1.0, -1.5, 2.5, -3.5, 0.49999999999999994, 1e300, -1e-310, 123456.789, -7.75, 4503599627370497.5 };
static void real(void) {
    for (int i = 0; i < 12; i++) {
        double x = doubles[i], whole;
        mixd(floor(x)); mixd(ceil(x)); mixd(trunc(x)); mixd(round(x)); mixd(rint(x)); mixd(nearbyint(x)); mixd(fabs(x));
        mixd(sqrt(fabs(x))); mixd(modf(x, &whole)); mixd(whole); mixd(copysign(3.0, x)); mixf(floorf((float)x)); mixf(roundf((float)x / 3));
        mix(isnan(x)); mix(isinf(x)); mix(isfinite(x) != 0); mix(isnormal(x) != 0); mix(signbit(x) != 0); mix(fpclassify(x));
        if (fabs(x) < 1e6) { mix(lrint(x)); mix(lround(x)); mix(llround(x * 3)); }
        for (int k = 0; k < 12; k += 5) {
            double y = doubles[k];
            mixd(fmax(x, y) + 1); mixd(fmin(x, y) + 1); mixd(fdim(x, y)); mixd(remainder(y, 3.25)); mixd(fmod(y, 2.5));
            mix(isgreater(x, y)); mix(isunordered(x, y)); mix(islessequal(x, y));
        }
    }
}
static void special(void) {
    double nan = 0.0 / (checksum ? 1.0 : 0.0), inf = 1e308 * 10;
    mix(isnan(nan) != 0); mix(nan == nan); mix(isinf(inf) != 0); mix(fpclassify(inf)); mix(fpclassify(nan)); mixd(fmax(nan, 2)); mixd(fmin(3, nan));
    mixd(fma(2.5, 3.5, -1.25)); mixf(sqrtf(2.0f)); mixd(modf(-inf, &nan)); mixd(nan);
}
static void rounding(void) {
    mix(fegetround()); fesetround(FE_UPWARD); volatile double third = 1.0, quarter = 2.25; mixd(third / 3.0); mixd(rint(quarter)); mix(fegetround() == FE_UPWARD);
    fesetround(FE_DOWNWARD); mixd(third / 3.0); mixf((float)(third / 3.0)); fesetround(FE_TONEAREST);
}
static void text(void) {
    char a[16] = "hello", b[16], *p; const char *s = "abcabc";
    mix(strlen(a)); mix(strlen("lit")); mix(strnlen(a, 3)); strcpy(b, a); mix(strcmp(a, b)); b[1] = 'a'; mix(strcmp(a, b) == 0);
    mix(strncmp(a, b, 1)); strncpy(b, "xy", 5); mix(b[3]); mix(b[4]); mix(b[5]); strcat(b, "zz"); mix(b[3]); strncat(b, "uvw", 2); mix(strlen(b));
    p = strchr(a, 'l'); mix(p - a); p = strrchr(a, 'l'); mix(p - a); mix(strchr(a, 'q') == 0); p = strstr(s, "ca"); mix(p - s);
}
static void more_text(void) {
    char a[16] = "hello", b[16] = "", *p; const char *s = "abcabc";
    mix(strspn(s, "ab")); mix(strcspn(s, "c")); p = strpbrk(a, "ol"); mix(p - a); p = memchr(a, 'o', 5); mix(p - a);
    mix(memcmp(a, "hello", 6)); memset(b, 'q', 4); mix(b[3]); mix(b[4]); memmove(a + 1, a, 4); mix(a[1]); mix(a[4]); memcpy(b, a, 3); mix(b[2]);
}
static void copies(void) {
    char b[16] = "0123456789", *p; const char *s = "abcabc";
    p = strdup(s); mix(p[3]); mix(strlen(p)); free(p); p = strndup(s, 2); mix(strlen(p));
    int n = 5; n += checksum & 1; memset(b, 1, n - 2); mix(b[2]); mix(b[6]); memcpy(b, "wxyz", n - 3); mix(b[1]);
}
static void classes(void) {
    for (int c = 0; c < 128; c += 3) { mix((isdigit)(c) != 0); mix((ispunct)(c) != 0); mix(tolower(c)); mix(toupper(c)); }
}
static int cell = 5;
static void builtins(void) {
    unsigned u = 0x12345678; int r; unsigned char small; long long wide;
    mix(__builtin_bswap16(0x1234)); mix(__builtin_bswap32(u)); mix(__builtin_bswap64(0x0102030405060708ULL)); mix(__builtin_clz(u)); mix(__builtin_ctz(u));
    mix(__builtin_popcount(u)); mix(__builtin_parity(u)); mix(__builtin_ffs(0)); mix(__builtin_ffs(24)); mix(__builtin_clzll(u)); mix(__builtin_expect(u, 3));
    mix(__builtin_add_overflow(2147483647, 1, &r)); mix(r); mix(__builtin_mul_overflow(200, 2, &small)); mix(small); mix(__builtin_sub_overflow(3u, 4u, &wide)); mix(wide);
    mix(__builtin_constant_p(3)); mix(abs(-4)); mix(labs(-5L)); mix(llabs(-6LL));
    mix(__sync_fetch_and_add(&cell, 3)); mix(__sync_add_and_fetch(&cell, 3)); mix(__sync_bool_compare_and_swap(&cell, 11, 20)); mix(cell);
    mix(__sync_val_compare_and_swap(&cell, 1, 2)); mix(__sync_lock_test_and_set(&cell, 9)); mix(__sync_fetch_and_nand(&cell, 3)); mix(cell);
    int *heap = malloc(3 * sizeof(int)); heap[1] = 4; int *zero = calloc(2, sizeof(int)); mix(heap[1] + zero[1]); free(heap);
    assert(heap != zero);
}
