//! Objects of every kind, used up to their ends: first and last elements by index, by pointer and through the
//! library, loops that run to the end, the end itself as a pointer.

use crate::kit::program::Program;
use crate::kit::random::Random;

/// Objects of `N` elements of type `T`; behind the declarations `o` points to the first one. `I` is zero, and
/// may be an input.
const OBJECTS: &[(&str, &str)] = &[
    ("T x[N];", "T *o = x;"),
    ("", "T x[N], *o = x;"),
    ("", "static T x[N]; T *o = x;"),
    ("", "T *o = malloc(N * sizeof *o); if (!o) return 0;"),
    ("", "T *o = calloc(N, sizeof *o); if (!o) return 0;"),
    ("", "T *o = 0; for (int k = 0; k < 2; k++) { o = malloc(N * sizeof *o); if (!o) return 0; }"),
    ("", "int n = N - (I); T *o = malloc(n * sizeof *o); if (!o) return 0;"),
    ("", "int n = N - (I); T x[n], *o = x;"),
    ("", "T *o = (T[N]){ 0 };"),
    ("struct s { char c; T x[N]; };", "struct s s, *q = &s; T *o = q->x;"),
    ("struct s { char c; T x[N]; } s[2];", "T *o = s[1].x;"),
    ("struct s { char c; T x[N]; char d; };", "struct s s; T *o = s.x;"),
    (
        "struct s { int n; T x[]; };",
        "struct s *s = malloc(sizeof *s + N * sizeof(T)); if (!s) return 0; T *o = s->x;",
    ),
    ("union u { T x[N]; char c[2]; };", "union u u; T *o = u.x;"),
    ("", "T x[2][N], *o = x[1 - (I)];"),
    ("", "T x[N], y[N + 1], *o = (I) ? y : x;"),
    ("T x[N + 2];", "T *o = x + 2 - (I);"),
    ("", "T *o = malloc(sizeof *o); if (!o) return 0; o = realloc(o, N * sizeof *o); if (!o) return 0;"),
    ("", "T *o = __builtin_alloca(N * sizeof *o);"),
    ("static T *get(void) { static T x[N]; return x; }", "T *o = get();"),
];

/// What is done with it; all elements were set before.
const USES: &[&str] = &[
    "r += o[0] * 3 + o[N - 1];",
    "o[N - 1] = 7; r += o[N - 1] * 2 + o[0];",
    "for (T *p = o; p != o + N; p++) r = r * 3 + *p;",
    "for (T *p = o + N; p > o;) r = r * 3 + *--p;",
    "T *e = o + N; r += e[-1] * 5 + (e - o) + (e == o + N - 1);",
    "for (int k = N; k-- > 0;) o[k] += k; r += o[N - 1] + o[0];",
    "memset(o + N - 1, 0, sizeof *o); r += o[0] * 3 + o[N - 1];",
    "memset(o + (I), 0, N * sizeof *o); r += o[0] + o[N - 1];",
    "memcpy(o + N - 1, o, sizeof *o); r += o[N - 1];",
    "memmove(o + 1, o, (N - 1) * sizeof *o); r += o[N - 1] * 3 + o[0];",
    "memmove(o, o + N - 1, sizeof *o); r += o[0];",
    "unsigned char *b = (unsigned char *)o, *e = (unsigned char *)(o + N); r += e[-1] * 3 + b[0] + (e - b);",
    "unsigned char *e = (unsigned char *)(o + N); e[-1 - (I)] = 1; r += o[N - 1] & 255;",
    "int k = N - 1 - (I); o[k] = 9; r += o[k] * 3 + o[0];",
    "T t[N]; memcpy(t, o, sizeof t); r += t[N - 1] * 3 + t[0];",
    "int k = (I); memcpy(o + N - 1 - k, o + k, sizeof *o); r += o[N - 1];",
    "memset((char *)(o + N) - 1 - (I), 0, 1); r += o[N - 1] & 255;",
    "T *p = o; while (p < o + N - 1) p++; *p = 4; r += o[N - 1] + (p - o);",
    "r += memcmp(o + N - 1, o, sizeof *o) == 0;",
    "T *q[2] = { o, o + N - 1 }; *q[1 - (I)] += 2; r += *q[1] * 3 + *q[0];",
];

const ELEMENTS: &[&str] = &["char", "unsigned char", "short", "int", "long long", "unsigned"];
const COUNTS: &[&str] = &["1", "2", "3", "5", "8", "17", "40", "300"];

pub(crate) fn count() -> usize {
    OBJECTS.len() * 3
}

/// One kind of object, used in two ways.
pub(crate) fn program(number: usize, random: &mut Random) -> Program {
    let mut program = Program::new(random);
    program.header("stdlib.h");
    program.header("string.h");
    let &(globals, locals) = &OBJECTS[number % OBJECTS.len()];
    let (element, count) = (random.pick(ELEMENTS), random.pick(COUNTS));
    let choice = format!("(({}) & 0)", program.choice(random));
    let fill = |text: &str| {
        [("T", *element), ("N", *count), ("I", &choice)]
            .iter()
            .fold(text.to_owned(), |text, (letter, with)| super::named(&text, letter, with))
    };
    program.global(&fill(globals));
    program.line("long long r = 0;");
    program.line(&fill(locals));
    program.line(&fill("for (int k = 0; k < N; k++) o[k] = k * 5 + 1;"));
    for _ in 0..2 {
        program.line(&fill(&format!("{{ {} }}", random.pick(USES))));
    }
    program.observe("r");
    program
}
