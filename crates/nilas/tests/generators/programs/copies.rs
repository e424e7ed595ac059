//! What holds pointers is copied in every way: the copy points to the same objects, and what happens to it
//! leaves the original as it was.

use super::objects;
use crate::kit::program::Program;
use crate::kit::random::Random;

/// What holds a pointer to each object: the type `H`, and the place of that with the number `k` in `*h`.
const HOLDERS: &[(&str, &str)] = &[
    ("typedef struct { T *p[N]; } H;", "&h->p[k]"),
    ("typedef struct { T *a, *b, *c, *d; } H;", "k == 0 ? &h->a : k == 1 ? &h->b : k == 2 ? &h->c : &h->d"),
    ("typedef struct { char x; T *a; struct { T *p; short s; } in[3]; } H;", "k ? &h->in[k - 1].p : &h->a"),
    ("typedef struct { T *p[2][2]; } H;", "&h->p[k >> 1][k & 1]"),
    ("typedef struct { union { T *p; W w; unsigned char b[sizeof(W)]; } u[N]; } H;", "&h->u[k].p"),
    ("typedef union { T *p[N]; W w[N]; } H;", "&h->p[k]"),
    ("typedef struct { T *a[3]; int n; T *last; } H;", "k == 3 ? &h->last : h->a + k"),
    (
        "struct pair { T *p, *q; }; typedef struct { struct pair a[2]; } H;",
        "k & 1 ? &h->a[k >> 1].q : &h->a[k >> 1].p",
    ),
    ("typedef T *H[N];", "&(*h)[k]"),
];

/// From `*h` to `*g`.
const COPIES: &[&str] = &[
    "for (int k = 0; k < N; k++) *at(g, k) = *at(h, k);",
    "memcpy(g, h, sizeof *g);",
    "memmove(g, h, sizeof *g);",
    "for (unsigned k = 0; k < sizeof *g; k++) ((unsigned char *)g)[k] = ((unsigned char *)h)[k];",
    "for (unsigned k = sizeof *g; k--;) ((char *)g)[k] = ((char *)h)[k];",
    "for (unsigned k = 0; k < sizeof *g / sizeof(W); k++) ((W *)g)[k] = ((W *)h)[k];",
    "for (int k = 0; k < N; k++) memcpy(at(g, k), at(h, k), sizeof(T *));",
    "H two[2]; memcpy(&two[0], h, sizeof *h); memmove(&two[1], &two[0], sizeof *h); memcpy(g, two + 1, sizeof *h);",
    "H *b = malloc(sizeof *b); if (!b) return 0; memcpy(b, h, sizeof *b); memcpy(g, b, sizeof *b); free(b);",
    "H *b = malloc(sizeof *b); if (!b) return 0; memcpy(b, h, sizeof *b); b = realloc(b, 2 * sizeof *b); if (!b) return 0; memcpy(g, b, sizeof *g);",
    "struct { char c; H h; } x, y; memcpy(&x.h, h, sizeof *h); x.c = 1; y = x; memcpy(g, &y.h, sizeof *g);",
    "unsigned char b[sizeof *h + 1]; memcpy(b + 1, h, sizeof *h); memmove(b, b + 1, sizeof *h); memcpy(g, b, sizeof *g);",
    "struct box { H h; } x, y; memcpy(&x, h, sizeof *h); y = x; x = (struct box){ 0 }; memcpy(g, &y, sizeof *g);",
    "for (int k = 0; k < N; k++) { T **from = at(h, k), **to = at(g, k); W u = (W)*from; *to = (T *)u; }",
    "for (int k = 0; k < N; k++) { void *v = *at(h, k); memcpy(at(g, k), &v, sizeof v); }",
    "for (int k = 0; k < N; k++) { union { T *p; W w; } u; u.w = (W)*at(h, k); *at(g, k) = u.p; }",
    "for (int k = 0; k < N; k++) { union { T *p; unsigned char b[sizeof(T *)]; } u, v; u.p = *at(h, k); for (unsigned n = 0; n < sizeof u; n++) v.b[n] = u.b[n]; *at(g, k) = v.p; }",
    "unsigned half = sizeof *g / 2; memcpy((char *)g + half, (char *)h + half, sizeof *g - half); memcpy(g, h, half);",
    "for (int k = 0; k < N; k++) for (int n = 0; n < N; n++) if (*at(h, k) == t[n]) *at(g, k) = t[n];",
];

/// What is done with original and copy: `K` is the object's number, `J` another one.
const USES: &[&str] = &[
    "set(*at(g, K), 40); r += get(*at(h, K)) + (*at(g, K) == *at(h, K)) * 3;",
    "*at(h, K) = t[J]; set(*at(g, K), 41); r += get(*at(h, K));",
    "*at(g, K) = 0; r += *at(h, K) == t[K]; set(*at(h, K), 42);",
    "for (int k = 0; k < N; k++) r = r * 3 + (*at(g, k) == t[k]) + (*at(h, k) == *at(g, k));",
    "T **x = at(g, K), **y = at(g, J), *m = *x; *x = *y; *y = m; set(*x, 43); r += get(*y) + get(*at(h, K)) * 3;",
    "T **x = at(g, K), **y = at(h, J); T m[1]; memcpy(m, *x, sizeof *m); memcpy(*x, *y, sizeof *m); memcpy(*y, m, sizeof *m);",
    "T ***x[2]; T **p = at(g, K), **q = at(h, J); x[0] = &p; x[1] = &q; set(**x[0], 44); r += get(**x[1]); *x[0] = q; set(*p, 45);",
    "memset(h, 0, sizeof *h); for (int k = 0; k < N; k++) set(*at(g, k), 46 + k);",
    "H z; memcpy(&z, g, sizeof z); *at(&z, K) = t[J]; set(*at(&z, K), 47); r += (*at(g, K) == t[K]) + memcmp(at(g, K), at(h, K), sizeof(T *)) * 2;",
    "for (int k = 0; k < N - 1; k++) *at(g, k) = *at(g, k + 1); set(*at(g, (K) & 1), 48); r += *at(g, N - 1) == *at(g, N - 2);",
    "for (int k = N; k-- > 1;) *at(g, k) = *at(g, k - 1); set(*at(g, K), 49); r += *at(g, 0) == *at(g, 1);",
];

pub(crate) fn count() -> usize {
    HOLDERS.len() * COPIES.len()
}

/// One holder, copied in one way.
pub(crate) fn program(number: usize, random: &mut Random) -> Program {
    let mut program = Program::new(random);
    let (place, other) = (random.below(objects::COUNT), random.below(objects::COUNT));
    let index = if random.chance(50) {
        format!("({} & 3)", program.input_of(place, random))
    } else {
        place.to_string()
    };
    let &(holder, at) = &HOLDERS[number % HOLDERS.len()];
    let group = random.below(objects::groups());
    let objects = objects::declare(&mut program, group, "0", random);
    program.global(&format!("{holder} static T **at(H *h, int k) {{ return {at}; }}"));
    program.line(random.pick::<&str>(&[
        "H from, to, *h = &from, *g = &to;",
        "static H both[2]; H *h = &both[1], *g = both;",
        "H *h = malloc(sizeof *h), *g = calloc(1, sizeof *g); if (!h || !g) return 0;",
    ]));
    // All of it has a value, gaps too.
    program.line("memset(h, 0, sizeof *h); for (int k = 0; k < N; k++) *at(h, k) = t[k];");
    program.line(&format!("{{ {} }}", COPIES[number / HOLDERS.len() % COPIES.len()]));
    program.line(&format!("int i = {index};"));
    let used = super::named(&super::named(USES[number % USES.len()], "K", "i"), "J", &other.to_string());
    program.line(&format!("{{ {used} }}"));
    objects::observe(&mut program, &objects);
    program
}
