//! Many objects: an allocation that is executed several times, for objects of every size and shape, each of
//! which is written, kept and read again.

use crate::kit::program::Program;
use crate::kit::random::Random;

/// How an object of `S` bytes comes to be; `k` is its number, and `p` points to it.
const ALLOCATIONS: &[&str] = &[
    "T *p = malloc(S);",
    "T *p = calloc(1, S);",
    "T *p = calloc(S, 1);",
    "T *p = realloc(0, S);",
    "T *p = malloc(1); p = realloc(p, S);",
    "T *p = get(S);",
    "T *p = aligned_alloc(16, (S + 15) / 16 * 16);",
    "void *b; if (posix_memalign(&b, 16, S)) return 0; T *p = b;",
];

/// Sizes in bytes: fixed, variable, large. All have room for one element.
const SIZES: &[&str] = &[
    "sizeof(T)",
    "2 * sizeof(T)",
    "(k + 1) * sizeof(T)",
    "(n - k) * sizeof(T)",
    "((k & 1) + 1) * sizeof(T)",
    "sizeof(T) + k",
    "500 * sizeof(T)",
    "(300 + k) * sizeof(T)",
    "n * sizeof(T)",
];

/// Where the objects are kept and how they are read again.
const KEEPING: &[(&str, &str)] = &[
    ("t[k] = p;", "for (int k = 0; k < n; k++) r = r * 3 + t[k]->v;"),
    ("p->next = h; h = p;", "for (T *p = h; p; p = p->next) r = r * 3 + p->v;"),
    ("t[k] = p; if (k) r += t[k - 1] != p;", "r = r * 3 + t[0]->v + t[n - 1]->v * 2;"),
    ("t[k & 1] = p;", "r += t[0]->v * 3 + t[1]->v;"),
    ("if (k != n - 1) free(p); else h = p;", "r += h->v;"),
    ("if (h) free(h); h = p;", "r += h->v;"),
];

/// What repeats the allocation.
const REPEATING: &[(&str, &str)] = &[
    ("", "for (int k = 0; k < n; k++) { B }"),
    ("", "int k = 0; while (1) { B if (++k == n) break; }"),
    ("", "int k = 0; again: { B } if (++k < n) goto again;"),
    (
        "static int make(int k, int n) { B return 1; }",
        "for (int k = 0; k < n; k++) if (!make(k, n)) return 0;",
    ),
    (
        "static int make(int k, int n) { if (k == n) return 1; B return make(k + 1, n); }",
        "if (!make(0, n)) return 0;",
    ),
];

pub(crate) fn count() -> usize {
    SIZES.len() * REPEATING.len()
}

/// Objects of one size, repeated in one way.
pub(crate) fn program(number: usize, random: &mut Random) -> Program {
    let mut program = Program::new(random);
    program.header("stdlib.h");
    let size = SIZES[number % SIZES.len()];
    let &(globals, repeated) = &REPEATING[number / SIZES.len() % REPEATING.len()];
    let &(kept, read) = random.pick(KEEPING);
    let allocation = random.pick::<&str>(ALLOCATIONS).replace('S', &format!("({size})"));
    let body = format!("{allocation} if (!p) return 0; p->v = k * 7 + 1; {kept}");
    let fill = |text: &str| super::named(&super::named(text, "B", &body), "T", "struct item");
    program.global(
        "struct item { int v; struct item *next; }; static struct item *h, *t[12]; static long long r;",
    );
    program.global("static void *get(size_t n) { void *p = malloc(n); if (!p) exit(1); return p; }");
    program.global(&fill(globals));
    // More than are told apart at first.
    program.line(&format!("int n = {};", 2 + random.below(9)));
    program.line(&fill(repeated));
    program.line(&fill(read));
    program.observe("r");
    program
}
