//! One thing that C has at a time, in a few lines, on data at its boundaries: first and last elements, the
//! terminator of a string, lengths of zero, the ends of the alphabet, the least and the greatest numbers,
//! signs, more calls and objects than are told apart at first.
//!
//! The programs are short, so that an answer comes at once, and one is asked for.

use crate::kit::program::Program;
use crate::kit::random::Random;

/// Declarations, and statements that change `r`. In both, `%c` is a character, `%w` a word, `%k` a number of
/// its characters, `%n` a small number, `%d` one that is deeper than calls are followed at first, `%i` a
/// number that may be an input, `%b` an `int` at a boundary, `%l` a `long long`, `%u` a width, `%f` a float.
const FEATURES: &[(&str, &str)] = &[
    // Characters.
    ("", "r += toupper(%c) * 3 + tolower(%c);"),
    ("", "r += (isalpha(%c) != 0) + 2 * (isdigit(%c) != 0) + 4 * (isalnum(%c) != 0);"),
    ("", "r += (isupper(%c) != 0) + 2 * (islower(%c) != 0) + 4 * (isxdigit(%c) != 0);"),
    (
        "",
        "r += (isspace(%c) != 0) + 2 * (ispunct(%c) != 0) + 4 * (isprint(%c) != 0) + 8 * (iscntrl(%c) != 0);",
    ),
    ("", "char s[8] = \"%w\"; for (char *q = s; *q; q++) *q = toupper(*q); r += s[0] + s[1] * 3;"),
    // Strings.
    ("", "char s[8] = \"%w\"; char *q = strchr(s, %c); r += q ? q - s : -1;"),
    ("", "char s[8] = \"%w\"; char *q = strchr(s, 0); r += q ? q - s : -1;"),
    ("", "char s[8] = \"%w\"; char *q = strrchr(s, %c); r += q ? q - s : -1;"),
    ("", "char s[8] = \"%w\"; char *q = memchr(s, %c, %k); r += q ? q - s : -1;"),
    ("", "char s[8] = \"%w\", t[8] = \"%w\"; int k = strcmp(s, t); r += k < 0 ? -1 : k > 0;"),
    ("", "char s[8] = \"%w\", t[8] = \"%w\"; int k = strncmp(s, t, %k); r += k < 0 ? -1 : k > 0;"),
    ("", "char s[8] = \"%w\", t[8] = \"%w\"; int k = memcmp(s, t, %n); r += k < 0 ? -1 : k > 0;"),
    (
        "",
        "unsigned char s[3] = { 1, 2, %n }, t[3] = { 1, 2, %n }; int k = memcmp(s, t, 3); r += k < 0 ? -1 : k > 0;",
    ),
    ("", "char s[8] = \"%w\"; s[0] = (char)200; r += strcmp(s, \"%w\") > 0;"),
    ("", "char s[8] = \"%w\"; r += strlen(s) * 10 + sizeof s;"),
    ("", "r += strlen(\"%w\") * 10 + sizeof \"%w\";"),
    ("", "char s[16] = \"%w\"; strcat(s, \"%w\"); r += strlen(s) * 256 + s[2];"),
    ("", "char s[6] = \"qqqqq\"; strncpy(s, \"%w\", 4); r += s[0] + s[1] * 3 + s[2] * 5 + s[3] * 7 + s[4];"),
    ("", "char s[8] = \"%w\"; r += strspn(s, \"az\") * 10 + strcspn(s, \"z9\");"),
    ("", "char s[8] = \"%w\"; char *q = strstr(s, \"z\"); r += q ? q - s : -1;"),
    ("", "r += atoi(\"-%n%n\") + 1000 * atoi(\" +%n\");"),
    ("", "char *q; const char *s = \"-%n%nz\"; r += strtol(s, &q, 10) * 10; r += q - s;"),
    // Initialisers.
    ("", "char s[4] = \"abcd\"; r += s[0] + s[1] * 3 + s[2] * 5 + s[3] * 7;"),
    ("", "char s[4] = \"%k\"; r += s[0] + s[1] * 3 + s[3] * 5;"),
    ("", "char s[] = \"%w\"; r += s[sizeof s - 1] * 9 + sizeof s;"),
    ("", "short a[5] = { %n, [3] = %b & 99 }; r += a[0] + a[1] * 3 + a[3] * 7 + a[4];"),
    (
        "",
        "struct { char c; int v[2]; char s[3]; } t = { 'x', { %n }, \"abc\" }; r += t.v[0] + t.v[1] + t.s[2];",
    ),
    ("char names[2][3] = { \"abc\", \"z\" };", "r += names[0][2] + names[1][0] * 3 + names[1][%i & 1];"),
    // Objects that live as long as the program.
    (
        "static int next(void) { static int n = %n; return n++; }",
        "r += next(); r = r * 10 + next(); r = r * 10 + next();",
    ),
    (
        "static int *cell(int k) { static int a[2] = { 4, %n }; return &a[k]; }",
        "*cell(1) += 5; *cell(0) += *cell(1); r += *cell(0);",
    ),
    (
        "static int first(void) { static char done; if (done) return 0; done = 1; return %b; }",
        "r ^= first(); r += first();",
    ),
    // Searching and sorting.
    (
        "static int by(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); } int t[5] = { 1, 3, 5, 7, 9 };",
        "int key = 2 * %n + 1; int *h = bsearch(&key, t, 5, sizeof *t, by); r += h ? h - t : -1;",
    ),
    (
        "static int by(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); } int t[3] = { 1, 5, 9 };",
        "int key = 4 * (%n % 3) + 1; int *h = bsearch(&key, t, 3, sizeof *t, by); r += h ? h - t : -1;",
    ),
    (
        "static int by(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }",
        "int t[3] = { %n, 3, %b }; qsort(t, 3, sizeof *t, by); r += t[0] * 3 ^ t[1] * 5 ^ t[2];",
    ),
    // Bits and overflow.
    ("", "int x = %b - (%i); r += __builtin_popcount(x) * 8 + __builtin_parity(x);"),
    ("", "long long x = %l; r += __builtin_popcountll(x) * 8 + __builtin_ffsll(x);"),
    ("", "unsigned x = %b; if (x) r += __builtin_clz(x) * 32 + __builtin_ctz(x);"),
    ("", "int x = %b, t = 0; r += __builtin_add_overflow(x, %n - 3, &t); r ^= t;"),
    ("", "int x = %b, t = 0; r += __builtin_sub_overflow(x, %n - 3, &t) * 2; r ^= t;"),
    ("", "int x = %b; short t = 0; r += __builtin_mul_overflow(x, %n - 3, &t); r ^= t;"),
    ("", "long long x = %l; unsigned t = 0; r += __builtin_add_overflow(x, %n, &t); r ^= t;"),
    ("", "int x = %b; r += (x >> (%u)) ^ ((unsigned)x >> (%u));"),
    ("", "int x = %b; if (x != -2147483647 - 1) r += x / (%n + 1) * 7 + x % (%n - 6);"),
    ("", "signed char c = %b; unsigned char d = %b; r += (c < d) * 2 + (c == d) + c * d;"),
    (
        "",
        "struct { int a : 3; unsigned b : 5; int c : 9; } f = { %b, %b, %b }; r += f.a + f.b * 3 + (f.c = %b);",
    ),
    ("", "_Bool t = %b; _Bool z = %f; r += t * 2 + z;"),
    // Floats.
    ("", "volatile double x = %f; r += (long)(fmod(x, 1.5) * 8) + 100 * (x < 0);"),
    ("", "volatile double x = %f; r += (long)(floor(x) * 100 + ceil(x) * 10 + trunc(x));"),
    ("", "volatile double x = %f; r += (long)(round(x) * 10 + rint(x)) + lround(x);"),
    ("", "volatile double x = %f, y = %f; r += (long)(fmax(x, y) * 16 + fabs(x) * 4 + copysign(x, y));"),
    ("", "volatile float x = %f; r += (int)(x * 3) + (int)-x; r = r * 2 + !!signbit(-x);"),
    (
        "",
        "volatile double x = %f; int e = 0; r += (long)(frexp(x, &e) * 64); r += e; r += (long)ldexp(x, 3);",
    ),
    ("", "volatile double x = %f; double w; r += (long)(modf(x, &w) * 16); r += (long)w * 100;"),
    ("", "volatile double x = 0; x = x / x; r += (x == x) * 2 + (x != x) + (x < 1);"),
    ("", "unsigned u = %b; long long l = %l; r += (long long)((double)u / 2) ^ (long long)(float)(short)l;"),
    // errno.
    ("", "errno = 0; r += strtol(\"99999999999999999999\", 0, 10) > 0; r += (errno == ERANGE) * 4;"),
    // Calls.
    ("static int down(int n) { return n <= 0 ? %n : 1 + down(n - 1); }", "r += down(%d);"),
    (
        "static int sum(int n) { if (n == 0) return 0; int rest = sum(n - 1); return rest + n; }",
        "r += sum(%d) * 3 + sum(%n);",
    ),
    (
        "static int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); } static int mix(int a, int b) { return a * 7 + b; }",
        "r += mix(fact(%n), fact(%n));",
    ),
    (
        "static int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); } static int three(int a, int b, int c) { return a * 49 + b * 7 + c; }",
        "r += three(%n, fact(%n), fact(3) - fact(%n));",
    ),
    (
        "static int twice(int x) { return x * 2; } static int mix(int a, int b, int c) { return a * 9 + b * 3 + c; }",
        "int x = %i; r += mix(twice(x), twice(x + 1), x);",
    ),
    (
        "int g = %n; static int set(int v) { g = v; return v + 1; } static int two(int a, int b) { return a * 5 + b; }",
        "int k = g; r += two(k, set(%b & 7)); r += g;",
    ),
    ("static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }", "r += fib(%d - 1);"),
    (
        "static int even(int n); static int odd(int n) { return n ? even(n - 1) : 0; } static int even(int n) { return n ? odd(n - 1) : 1; }",
        "r += even(%d) * 2 + odd(%d);",
    ),
    (
        "static int one(int x) { return x + 1; } static int neg(int x) { return -x; }",
        "int (*f[2])(int) = { one, neg }; r += f[%i & 1](%n) * 10 + f[0](f[1](%b));",
    ),
    // Many objects.
    (
        "struct n { int v; struct n *next; };",
        "struct n *t = 0; for (int k = 0; k < %d; k++) { struct n *p = malloc(sizeof *p); if (!p) return 0; p->v = k; p->next = t; t = p; } for (; t; t = t->next) r = r * 3 + t->v;",
    ),
    (
        "",
        "int n = %d; char *p[9]; for (int k = 0; k < n; k++) { p[k] = malloc(k + 1); if (!p[k]) return 0; p[k][k] = k + 1; } for (int k = 0; k < n; k++) r = r * 3 + p[k][k];",
    ),
    (
        "",
        "int n = %d, *p[9]; for (int k = 0; k < n; k++) { p[k] = calloc(k + 1, sizeof(int)); if (!p[k]) return 0; p[k][0] += k; } r += p[n - 1][n - 1] + p[n - 1][0] * 2 + p[1][0];",
    ),
    (
        "",
        "int *p = malloc(3 * sizeof *p); if (!p) return 0; p[0] = %n; p[2] = 5; p = realloc(p, 6 * sizeof *p); if (!p) return 0; p[5] = %n; r += p[0] + p[2] * 3 + p[5];",
    ),
    // Copies.
    ("", "int a = %b, b = %n; memcpy(&b, &a, 2); r ^= b;"),
    (
        "",
        "int a[2] = { %b, %b }, b[2] = { 1, 2 }; memcpy((char *)b + 2, (char *)a + %n, 3); r ^= b[0] ^ b[1] * 3;",
    ),
    ("", "short a[4] = { 1, 2, 3, %n }; memmove(a + 1, a, 5); r += a[1] + a[2] * 3 + (a[3] & 255) * 5;"),
    (
        "",
        "long long x = %l; int y = 0; memcpy(&y, (char *)&x + 4, 4); r ^= y; memset(&x, %n, 3); r ^= (int)x;",
    ),
    (
        "int x, y; struct s { int *p; int n; };",
        "struct s a = { &x, %n }, b = { &y, 2 }; b = a; *b.p = 5 + b.n; r += x * 10 + y;",
    ),
    (
        "int x, y; struct s { int n; int *p; } a, b;",
        "a.p = &x; a.n = %n; b = a; *b.p += 3; b.p = &y; *b.p = *a.p + b.n; r += x * 10 + y;",
    ),
    ("int x, y, *p = &x, *q = &y;", "memcpy(&q, &p, sizeof q); *q = %n + 5; r += x * 10 + y;"),
    (
        "int x, y; struct s { int n; int *p; };",
        "struct s a = { 1, &y }, b = { 2, &x }; memcpy(&a, &b, sizeof a); *a.p = %n + 4; r += x * 10 + y + a.n;",
    ),
    ("int x, y; int *t[2] = { &x, &y }, *u[2];", "memcpy(u, t, sizeof t); *u[%i & 1] = 7; r += x * 10 + y;"),
    (
        "int x, y; struct s { int *p[2]; } a = { { &y, &x } };",
        "struct s b = a; struct s *c = &b; struct s d = *c; *d.p[1] = %n + 2; r += x * 10 + y;",
    ),
    (
        "int x; static int **hide(int **p) { return p; }",
        "int *p = &x, *q; *hide(&q) = p; *q = %n + 1; r += x;",
    ),
    ("char x[4], y[4];", "char *p = (%i) & 1 ? x : y; memset(p + 1, %n, 2); r += x[1] * 10 + y[2] + p[3];"),
    (
        "int x, y;",
        "unsigned long u = (unsigned long)&x; int *p = (int *)(u + (%i) * 0); *p = %n + 1; r += x * 10 + y;",
    ),
    // Pointers that were numbers.
    (
        "int x, y;",
        "unsigned long u = (unsigned long)&y; int *p, **q = &p; *q = (int *)u; *p = %n + 1; r += x * 10 + y;",
    ),
    (
        "int x, y; struct s { int n; int *p; } s;",
        "struct s *t = &s; unsigned long u = (unsigned long)&x; t->p = (int *)u; *s.p = %n + 1; r += x * 10 + y;",
    ),
    (
        "int x[3], *v[2];",
        "unsigned long u = (unsigned long)x; int **w = v + 1; *w = (int *)u + 2; *v[1] = %n + 1; r += x[0] + x[2] * 10 + (v[1] - x);",
    ),
    (
        "int x, y;",
        "int **b = malloc(sizeof *b); if (!b) return 0; *b = (int *)((unsigned long)&x + (%i) * 0); **b = %n + 3; r += x * 10 + y;",
    ),
    // Ways.
    ("", "for (int k = 0; k < %n; k++) { if (k == 2) continue; if (k == 4) break; r = r * 3 + k + 1; }"),
    ("", "int k = %n; do { if (k == 3) continue; r += k * k; } while (k-- > 1);"),
    (
        "",
        "switch (%n) { case 0: r += 1; case 1: r += 10; break; case 2 ... 4: r += 100; default: r += 1000; }",
    ),
    ("", "int k = 0; again: r = r * 3 + k; if (k++ < %n) goto again;"),
    ("", "int a[3] = { 1, 2, 3 }, *p = a + 2; r += *p-- * 100; r += *p * 10 + p[-1] + (p - a);"),
];

/// The same, where no answer is asked for: not all of them are decided.
const HARD: &[(&str, &str)] = &[
    (
        "int a[4], b[2] = { %n, 6 };",
        "int k = %i; memcpy(a + (k & 1), b, sizeof b); r += a[0] + a[1] * 10 + a[2] * 100;",
    ),
    (
        "char a[8];",
        "int k = (%i) & 3; memset(a + k, 7, 3); strcpy(a + 4, \"z\"); r += a[1] + a[3] * 3 + a[4] * 5;",
    ),
    (
        "char x[4], y[4];",
        "char *p = x; if ((%i) & 1) p = y; p += (%i) & 1; memset(p, 3 + %n, 2); r += x[0] + x[1] * 10 + y[2] * 100;",
    ),
    (
        "struct s { char c[3]; short n; } x, y;",
        "struct s *p = (%i) & 1 ? &x : &y; memset(p->c + ((%i) & 1), 9, 2); memcpy(&p->n, p->c, 2); r += x.n * 3 + y.n;",
    ),
    (
        "int x, y, *p;",
        "unsigned long u = (unsigned long)&x ^ 4096; unsigned long v = u ^ 4096; memcpy(&p, &v, sizeof p); *p = %n + 1; r += x * 10 + y;",
    ),
    (
        "int x, y, *p, *q;",
        "unsigned long u = (unsigned long)&x; char *b = (char *)&q; for (unsigned k = 0; k < sizeof u; k++) b[k] = ((char *)&u)[k]; p = q; *p = %n + 1; r += x * 10 + y;",
    ),
];

/// The same, where C or the system leaves the result open: what gcc's program computes is one of several.
const OPEN: &[(&str, &str)] = &[
    ("", "volatile double x = -4; errno = 0; x = sqrt(x); r += errno == EDOM;"),
    ("", "volatile double x = 4; errno = %n; x = sqrt(x); r += (errno == %n) * 2 + (x == 2);"),
    ("", "errno = 0; int k = close(-1); r += k * 10 + (errno != 0);"),
    ("", "errno = 0; FILE *f = fopen(\"/no/such/file\", \"r\"); r += (f == 0) * 2 + (errno != 0);"),
    ("", "volatile double x = %f; errno = 0; x = log(-1 - x * x); r += errno == EDOM;"),
    ("", "errno = 0; int k = chdir(\"/no/such/folder\"); r += k * 10 + (errno != 0);"),
    ("", "errno = 0; long k = read(-1, &r, 1); r = k * 10 + (errno != 0);"),
    ("", "errno = 0; int k = remove(\"/no/such/file\"); r += (k != 0) * 10 + (errno != 0);"),
];

const HEADERS: &[&str] = &["ctype.h", "errno.h", "math.h", "stdio.h", "stdlib.h", "string.h", "unistd.h"];

const CHARACTERS: &[&str] = &[
    "'a'", "'z'", "'A'", "'Z'", "'@'", "'['", "'`'", "'{'", "'0'", "'9'", "'/'", "':'", "' '", "'\\t'",
    "'~'", "0", "127",
];
const WORDS: &[&str] = &["", "a", "z", "zz", "az", "aZ9", "z~/"];
pub(super) const INTS: &[&str] = &[
    "0",
    "1",
    "-1",
    "127",
    "128",
    "255",
    "256",
    "32767",
    "-32768",
    "65535",
    "2147483647",
    "(-2147483647 - 1)",
    "0x01020304",
    "-7",
];
const LONGS: &[&str] = &[
    "0",
    "-1",
    "4294967295LL",
    "4294967296LL",
    "-2147483649LL",
    "9223372036854775807LL",
    "0x0102030405060708LL",
];
const FLOATS: &[&str] =
    &["0.0", "-0.0", "0.5", "-0.5", "1.5", "-1.5", "2.5", "-2.75", "100.25", "-7.0", "1e3"];

/// Any feature.
pub(crate) fn generate(random: &mut Random) -> Program {
    let number = random.below(count());
    feature(number, random)
}

/// How many features there are; the first ones are [`decided`].
pub(crate) fn count() -> usize {
    decided() + HARD.len()
}

/// How many features there are that must be decided.
pub(crate) fn decided() -> usize {
    FEATURES.len() + OPEN.len()
}

/// A program with one feature.
pub(crate) fn feature(number: usize, random: &mut Random) -> Program {
    let mut program = Program::new(random);
    program.open = (FEATURES.len()..decided()).contains(&number);
    let &(globals, statements) = FEATURES.iter().chain(OPEN).chain(HARD).nth(number).unwrap();
    for header in HEADERS {
        let used = match *header {
            "ctype.h" => ["isa", "is", "to"].iter().any(|name| statements.contains(name)),
            "errno.h" => statements.contains("errno"),
            "math.h" => statements.contains("double") || statements.contains("float"),
            "unistd.h" => ["close(", "chdir(", "read("].iter().any(|name| statements.contains(name)),
            "stdio.h" => statements.contains("fopen") || statements.contains("remove"),
            _ => true,
        };
        if used {
            program.header(header);
        }
    }
    let globals = fill(globals, &mut program, random);
    program.global(&globals);
    let statements = fill(statements, &mut program, random);
    program.line("long long r = 0;");
    program.line(&format!("{{ {statements} }}"));
    program.observe("r");
    program
}

/// A template with data in it.
pub(super) fn fill(template: &str, program: &mut Program, random: &mut Random) -> String {
    let mut text = String::new();
    let mut parts = template.split('%');
    text.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (kind, rest) = part.split_at(part.len().min(1));
        let data = match kind {
            "c" => (*random.pick(CHARACTERS)).to_owned(),
            "w" => (*random.pick(WORDS)).to_owned(),
            "k" => random.below(5).to_string(),
            "n" => random.below(6).to_string(),
            "d" => (5 + random.below(4)).to_string(),
            "i" => program.choice(random),
            "b" => (*random.pick(INTS)).to_owned(),
            "l" => (*random.pick(LONGS)).to_owned(),
            "u" => (*random.pick(&["0", "1", "8", "31"])).to_owned(),
            "f" => (*random.pick(FLOATS)).to_owned(),
            _ => format!("%{kind}"),
        };
        text.push_str(&data);
        text.push_str(rest);
    }
    text
}
