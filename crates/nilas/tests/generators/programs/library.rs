//! Calls of library functions whose results the standard determines, on strings, bytes, numbers and arrays.

use crate::kit::program::Program;
use crate::kit::random::Random;

/// `B` and `C` are buffers with strings of at most six characters, `N` and `M` are small numbers, `H` is a
/// character.
const STATEMENTS: &[&str] = &[
    "strcpy(B, C);",
    "strcat(B, C);",
    "strncpy(B, C, N);",
    "memcpy(B, C, N);",
    "memmove(B + N, B, M);",
    "memmove(B, B + N, M);",
    "memset(B + N, H, M);",
    "r += strlen(B);",
    "r = r * 3 + (strcmp(B, C) < 0);",
    "r = r * 3 + (strncmp(B, C, N) > 0);",
    "r = r * 3 + (memcmp(B, C, N) == 0);",
    "q = strchr(B, H); if (q) { *q = 'z'; r += q - B; }",
    "q = strrchr(B, H); if (q) { *q = 0; r += q - B; }",
    "q = strstr(B, \"a\"); if (q) q[0] = 'y';",
    "q = memchr(B, H, 6); if (q) r += q - B;",
    "q = strpbrk(B, \"bxy\"); if (q) r += q - B;",
    "r += strspn(B, \"abc\") + 2 * strcspn(B, \"xz\");",
    "r += atoi(D);",
    "r += strtol(D, &q, 10); r += q - D; *q = '-';",
    "r += strtoul(D, &q, 0) & 1023; if (q != D) q[-1] = '4';",
    "for (q = B; *q; q++) *q = toupper(*q);",
    "for (q = B; *q; q++) if (isalpha(*q)) r++; else if (isdigit(*q)) r += 7; else if (isspace(*q)) r += 50;",
    "r += abs(N - M * 2) + labs(3L - N);",
    "t[N & 3] = M; qsort(t, 4, sizeof *t, ascending);",
    "{ int key = M; int *hit = bsearch(&key, t, 4, sizeof *t, ascending); if (hit) { r += hit - t; *hit += 1; } }",
    "{ char *d = strdup(B); if (!d) return 0; int n = d[0]; d[0] = H; r += d[0]; if (n) r += d[1]; free(d); }",
    "{ div_t d = div(r & 255, M + 1); r += d.quot * 2 + d.rem; }",
    "r += snprintf(C, 7, \"%d\", N * 37);",
    "{ int k = 0; if (sscanf(D, \"%d\", &k) == 1) r += k; }",
    "q = stpcpy(B, \"ab\"); r += q - B;",
    "r += strnlen(B, M);",
    "q = strtok(B, \"b\"); if (q) { r += q - B; q = strtok(0, \"b\"); if (q) r += q - B; }",
    "r += memcpy(B, C, M) == B;",
    "r += ffs(N * 8) + (strcasecmp(B, C) > 0);",
    "errno = N; r += errno; *(&errno) = M; r += errno;",
];

pub(crate) fn generate(random: &mut Random) -> Program {
    let mut program = Program::new(random);
    for header in ["ctype.h", "errno.h", "stdio.h", "stdlib.h", "string.h", "strings.h"] {
        program.header(header);
    }
    program.global(
        "static int ascending(const void *a, const void *b) { return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b; }
int t[4] = { 1, 3, 5, 9 };",
    );
    let words = ["abc", "xyz", "b a", "", "aab", "a1b2"];
    let digits = ["12", "-7x", " 40", "0x1f", "+", "077"];
    let choice = program.choice(random);
    program.line(&format!(
        "char b[16] = \"{}\", c[16] = \"{}\", d[8] = \"{}\", *q; int r = 0; if ({choice}) b[0] = 'b';",
        random.pick(&words),
        random.pick(&words),
        random.pick(&digits)
    ));
    for _ in 0..2 + random.below(4) {
        let (one, two) = if random.chance(50) { ("b", "c") } else { ("c", "b") };
        let number = 1 + random.below(4);
        let statement = random
            .pick::<&str>(STATEMENTS)
            .replace('B', one)
            .replace('C', two)
            .replace('D', "d")
            .replace('N', &number.to_string())
            .replace('M', &random.below(5).to_string())
            .replace('H', random.pick::<&str>(&["'a'", "'b'", "'x'", "'1'"]));
        program.line(&statement);
        program.line("b[6] = 0; c[6] = 0; d[6] = 0;");
    }
    program.observe("r");
    program.observe("b[0] + b[1] * 3 + b[2] * 5");
    program.observe("c[0] + c[1] * 3 + c[2] * 5");
    program.observe("t[0] + t[1] * 10 + t[2] * 100");
    program.observe("strlen(b)");
    program
}
