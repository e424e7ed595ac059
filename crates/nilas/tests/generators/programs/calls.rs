//! Every function of the catalogue whose result the standard fixes, on data at boundaries: first and last and
//! absent elements, empty strings and sizes of zero, signs, ends of alphabets and of types.

use super::features::fill;
use super::named;
use crate::kit::program::Program;
use crate::kit::random::Random;

/// Functions `F` that are called in one way, in statements that change `r`. See `features` for the data;
/// beside those, `%g` is a text that begins with a number or not, `%e` one with a decimal number, `%a` a
/// base, and `%x` a float of any size.
pub(crate) const CALLS: &[(&str, &str)] = &[
    (
        "isalnum isalpha isascii isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit",
        "r = r * 2 + (F(%c) != 0);",
    ),
    ("toascii tolower toupper", "r = r * 3 + F(%c);"),
    (
        "iswalnum iswalpha iswblank iswcntrl iswdigit iswgraph iswlower iswprint iswpunct iswspace iswupper iswxdigit",
        "r = r * 2 + (F(%c) != 0);",
    ),
    ("towlower towupper", "r = r * 3 + F(%c);"),
    ("btowc wctob", "r = r * 3 + F(%c);"),
    ("ffs __builtin_clrsb __builtin_popcount __builtin_parity", "r = r * 3 + F(%b);"),
    ("ffsl __builtin_clrsbl __builtin_popcountl __builtin_parityl", "r = r * 3 + F(%b);"),
    ("ffsll __builtin_clrsbll __builtin_popcountll __builtin_parityll", "r = r * 3 + F(%l);"),
    ("__builtin_bswap16 __builtin_bswap32 htonl htons ntohl ntohs", "r = r * 3 + F(%b);"),
    ("__builtin_bswap64", "r = r * 3 + F(%l);"),
    ("__builtin_clz __builtin_ctz __builtin_clzl __builtin_ctzl", "r = r * 3 + F(%b | 16);"),
    ("__builtin_clzll __builtin_ctzll", "r = r * 3 + F(%l | 16);"),
    ("abs labs llabs imaxabs", "r = r * 3 + F(%b / 2) + F(-%n);"),
    (
        "div ldiv lldiv imaxdiv",
        "__typeof__(F(1, 1)) d = F(%b / 2, %n + 1), e = F(-%n, -%n - 1); r = r * 3 + d.quot + d.rem * 5 + e.quot * 7 + e.rem * 11;",
    ),
    ("atoi atol atoll", "r = r * 3 + F(\"%g\");"),
    (
        "strtol strtoul strtoll strtoull strtoimax strtoumax",
        "const char *s = \"%g\"; char *q; errno = 0; r = r * 3 + F(s, &q, %a); r = r * 5 + (q - s) + (errno == ERANGE) * 64;",
    ),
    ("atof", "r = r * 3 + bits(F(\"%e\"));"),
    ("strtod strtof", "const char *s = \"%e\"; char *q; r = r * 3 + bits(F(s, &q)); r = r * 5 + (q - s);"),
    ("qsort", "int t[4] = { %b, %n, %b, %n }; F(t, %k, sizeof *t, by); r = r * 3 + sum(t, sizeof t);"),
    ("qsort_r", "int t[4] = { %b, %n, %b, %n }; F(t, %k, sizeof *t, by3, &r); r = r * 3 + sum(t, sizeof t);"),
    (
        "bsearch",
        "int t[4] = { 0, 1, 3, 5 }, key = %n; int *q = F(&key, t, %k, sizeof *t, by); r = r * 7 + at(q, t);",
    ),
    (
        "lfind",
        "int t[4] = { 3, 0, 5, 1 }, key = %n; size_t n = %k; int *q = F(&key, t, &n, sizeof *t, by); r = r * 7 + at(q, t);",
    ),
    ("strlen", "char b[8] = \"%w\"; r = r * 3 + F(b) + 7 * F(\"%w\");"),
    ("strnlen", "char b[8] = \"%w\"; r = r * 3 + F(b, %k);"),
    ("strcpy stpcpy strcat", "char b[16] = \"%w\", *q = F(b, \"%w\"); r = r * 7 + at(q, b) + sum(b, 16);"),
    (
        "strncpy stpncpy strncat",
        "char b[16] = \"%wab\", *q = F(b, \"%w\", %k); r = r * 7 + at(q, b) + sum(b, 16);",
    ),
    (
        "strcmp strcoll strcasecmp strverscmp",
        "r = r * 3 + sign(F(\"%w\", \"%w\")); r = r * 3 + sign(F(\"\\377\", \"%w\"));",
    ),
    ("strncmp strncasecmp", "r = r * 3 + sign(F(\"%w\", \"%w\", %k));"),
    (
        "memcmp",
        "r = r * 3 + sign(F(\"%w\\377ab\", \"%wab\\0\", %k)); r = r * 2 + (F(\"abcd\", \"abce\", %k) == 0);",
    ),
    ("strxfrm", "char b[8] = \"\"; r = r * 3 + F(b, \"%w\", 8); r = r * 3 + sum(b, 4 * !!b[0]);"),
    ("strchr strrchr index rindex", "char b[8] = \"%w\", *q = F(b, %c); r = r * 7 + at(q, b);"),
    ("strchrnul", "char b[8] = \"%w\", *q = F(b, %c); r = r * 7 + at(q, b);"),
    ("strstr strcasestr strpbrk", "char b[8] = \"%w%w\", *q = F(b, \"%w\"); r = r * 7 + at(q, b);"),
    ("strspn strcspn", "r = r * 7 + F(\"%w%w\", \"%w\");"),
    (
        "strtok",
        "char b[8] = \"%w%w\", *q = F(b, \"z/\"); r = r * 7 + at(q, b); if (q) q = F(0, \"a\"); r = r * 7 + at(q, b) + sum(b, 8);",
    ),
    (
        "strtok_r",
        "char b[8] = \"%w%w\", *s, *q = F(b, \"z\", &s); r = r * 7 + at(q, b); if (q) q = F(0, \"a\", &s); r = r * 7 + at(q, b) + sum(b, 8);",
    ),
    (
        "strsep",
        "char b[8] = \"%w%w\", *s = b, *q = F(&s, \"z/\"); r = r * 7 + at(q, b) + 3 * at(s, b) + sum(b, 8);",
    ),
    (
        "strdup",
        "char b[8] = \"%w\", *q = F(b); if (!q) return 0; r = r * 7 + strcmp(q, b) + strlen(q) + (q == b); free(q);",
    ),
    (
        "strndup",
        "char b[8] = \"%w\", *q = F(b, %k); if (!q) return 0; r = r * 7 + strlen(q) + q[0] + (q == b); free(q);",
    ),
    ("memset", "char b[8] = \"%w\"; void *q = F(b + %n / 2, %c, %k); r = r * 7 + at(q, b) + sum(b, 8);"),
    (
        "memcpy mempcpy",
        "char b[8] = \"%w\"; void *q = F(b + %n / 2, \"zya~\", %k); r = r * 7 + at(q, b) + sum(b, 8);",
    ),
    ("memmove", "char b[12] = \"%w%w\"; void *q = F(b + %n, b + %n, %k); r = r * 7 + at(q, b) + sum(b, 12);"),
    ("memccpy", "char b[8] = \"\"; void *q = F(b, \"%wza~\", %c, %k); r = r * 7 + at(q, b) + sum(b, 8);"),
    ("memchr memrchr", "char b[8] = \"%w%w\"; void *q = F(b, %c, %k); r = r * 7 + at(q, b);"),
    ("rawmemchr", "char b[8] = \"%w\"; void *q = F(b, 0); r = r * 7 + at(q, b);"),
    ("memmem", "char b[8] = \"%w%w\"; void *q = F(b, %k, \"z9\", %k / 2); r = r * 7 + at(q, b);"),
    ("memfrob", "char b[8] = \"%w\"; F(b, %k); r = r * 7 + sum(b, 8);"),
    ("swab", "char b[8] = \"\"; F(\"abcdef\", b, %k); r = r * 7 + sum(b, 8);"),
    ("bzero explicit_bzero", "char b[8] = \"%w%w\"; F(b + 1, %k); r = r * 7 + sum(b, 8);"),
    ("bcopy", "char b[12] = \"%w%w\"; F(b + %n, b + %n, %k); r = r * 7 + sum(b, 12);"),
    ("wcslen", "r = r * 3 + F(L\"%w\");"),
    ("wcsnlen", "r = r * 3 + F(L\"%w\", %k);"),
    (
        "wcscpy wcpcpy wcscat",
        "wchar_t b[16] = L\"%w\", *q = F(b, L\"%w\"); r = r * 7 + at(q, b) + b[0] + b[1] * 3 + b[2] * 5;",
    ),
    (
        "wcsncpy wcsncat",
        "wchar_t b[16] = L\"%wab\", *q = F(b, L\"%w\", %k); r = r * 7 + at(q, b) + b[0] + b[1] * 3 + b[2] * 5 + b[3] * 7;",
    ),
    ("wcscmp", "r = r * 3 + sign(F(L\"%w\", L\"%w\"));"),
    ("wcsncmp", "r = r * 3 + sign(F(L\"%w\", L\"%w\", %k));"),
    ("wcschr wcsrchr", "wchar_t b[8] = L\"%w\", *q = F(b, %c); r = r * 7 + at(q, b);"),
    ("wcsstr wcspbrk", "wchar_t b[8] = L\"%w%w\", *q = F(b, L\"%w\"); r = r * 7 + at(q, b);"),
    ("wcsspn wcscspn", "r = r * 7 + F(L\"%w%w\", L\"%w\");"),
    ("wcsdup", "wchar_t *q = F(L\"%w\"); if (!q) return 0; r = r * 7 + wcslen(q) + q[0]; free(q);"),
    ("wmemset", "wchar_t b[4] = { 1, 2, 3, 4 }; F(b, %c, %k); r = r * 7 + b[0] + b[1] * 3 + b[3];"),
    (
        "wmemcpy wmemmove",
        "wchar_t b[4] = { 1, 2, 3, 4 }; F(b, L\"zab\", %k); r = r * 7 + b[0] + b[1] * 3 + b[3];",
    ),
    ("wmemcmp", "r = r * 3 + sign(F(L\"%wabcd\", L\"%wabcd\", %k));"),
    ("wmemchr", "wchar_t b[8] = L\"%w\", *q = F(b, %c, %k); r = r * 7 + at(q, b);"),
    (
        "fabs sqrt ceil floor trunc round roundeven rint nearbyint logb significand",
        "volatile double x = %f; r = r * 7 + bits(F(x)); x = %x; r = r * 7 + bits(F(x));",
    ),
    (
        "fabsf sqrtf ceilf floorf truncf roundf roundevenf rintf nearbyintf",
        "volatile float x = %f; r = r * 7 + bits(F(x)); x = %x; r = r * 7 + bits(F(x));",
    ),
    (
        "fmod remainder drem fmin fmax fdim copysign nextafter",
        "volatile double x = %f, y = %f; r = r * 7 + bits(F(x, y)); x = %x; r = r * 7 + bits(F(x, y));",
    ),
    (
        "fmodf remainderf fminf fmaxf fdimf copysignf nextafterf",
        "volatile float x = %f, y = %f; r = r * 7 + bits(F(x, y)); x = %x; r = r * 7 + bits(F(x, y));",
    ),
    ("fma", "volatile double x = %f, y = %x; r = r * 7 + bits(F(x, y, %f));"),
    ("ldexp scalbn scalbln", "volatile double x = %f; r = r * 7 + bits(F(x, %n - 3));"),
    ("remquo", "volatile double x = %f; int q; double m = F(x, 1.5, &q); r = r * 7 + bits(m) + (q & 7);"),
    ("frexp", "volatile double x = %f; int e = 0; r = r * 7 + bits(F(x, &e)); r = r * 7 + e;"),
    ("modf", "volatile double x = %f; double w; r = r * 7 + bits(F(x, &w)); r = r * 7 + bits(w);"),
    ("ilogb lrint llrint lround llround", "volatile double x = %f; r = r * 7 + F(x ? x : 1.0);"),
    (
        "isnan isinf finite isfinite isnormal signbit",
        "volatile double x = %f; r = r * 2 + (F(x) != 0); x = %x; r = r * 2 + (F(x) != 0);",
    ),
];

/// What computes and compares.
const HELPERS: &str = "\
static int sum(const void *p, int n) { unsigned s = 0; for (int k = 0; k < n; k++) s = s * 3 + ((const unsigned char *)p)[k]; return s; }
static int by(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
static int by3(const void *a, const void *b, void *c) { (void)c; return by(a, b); }
static int sign(int x) { return (x > 0) - (x < 0); }
static unsigned long long bits(double d) { unsigned long long u; memcpy(&u, &d, sizeof u); return d != d ? 77 : u; }
#define at(q, b) ((q) ? (char *)(q) - (char *)(b) : -1)";

const NUMBERS: &[&str] = &[
    "",
    "0",
    "-1",
    "+7",
    " 12x",
    "2147483647",
    "-2147483648",
    "z",
    "0x1f",
    "077",
    "-0x",
    "1z",
    "--1",
    "9999999999",
];
const DECIMALS: &[&str] = &["", "0", "-0", "1.5", "-2.25x", "1e3", " +.5", ".", "12e", "-1e-2", "0.1"];
const BASES: &[&str] = &["0", "2", "8", "10", "16", "36"];
const MORE_FLOATS: &[&str] = &[
    "4503599627370497.5",
    "-1e-310",
    "0.49999999999999994",
    "-1e300",
    "(1.0 / 0.0)",
    "(-1.0 / 0.0)",
    "(0.0 / 0.0)",
    "3.5",
    "-123456.75",
];

/// Functions of one program.
const TOGETHER: usize = 3;

/// The statements with the functions in their places, three functions at a time.
fn programs() -> Vec<(&'static str, Vec<&'static str>)> {
    let mut all = Vec::new();
    for &(names, statement) in CALLS {
        let names: Vec<&str> = names.split(' ').collect();
        all.extend(names.chunks(TOGETHER).map(|chunk| (statement, chunk.to_vec())));
    }
    all
}

pub(crate) fn count() -> usize {
    programs().len()
}

/// A few functions, each called a few times.
pub(crate) fn program(number: usize, random: &mut Random) -> Program {
    let mut program = Program::new(random);
    program.gnu = true;
    let (statement, names) = programs().swap_remove(number);
    for header in [
        "stdlib.h",
        "string.h",
        "strings.h",
        "ctype.h",
        "errno.h",
        "math.h",
        "search.h",
        "inttypes.h",
        "wchar.h",
        "wctype.h",
        "unistd.h",
        "arpa/inet.h",
    ] {
        program.header(header);
    }
    program.global(HELPERS);
    program.line("unsigned long long r = 0;");
    for _ in 0..TOGETHER.max(6 / names.len()) {
        for name in &names {
            let data = [("%g", NUMBERS), ("%e", DECIMALS), ("%a", BASES), ("%x", MORE_FLOATS)];
            let text = data.iter().fold(statement.to_owned(), |text, (kind, choices)| {
                let mut parts = text.split(kind);
                let first = parts.next().unwrap_or_default().to_owned();
                parts.fold(first, |text, part| text + random.pick::<&str>(choices) + part)
            });
            let text = fill(&named(&text, "F", name), &mut program, random);
            program.line(&format!("{{ {text} }}"));
        }
    }
    program.observe("r");
    program
}
