//! Pointers through integers, bytes, floats and arithmetic: an address is hidden, found again and used.

use crate::kit::program::Program;
use crate::kit::random::Random;

/// Ways that end with the address they began with: from `q` (an `int *`) to `r`.
const WAYS: &[&str] = &[
    "word u = (word)q | 1; r = (int *)(u & ~(word)1);",
    "word u = (word)q ^ KEY; r = (int *)(u ^ KEY);",
    "word u = (word)q + KEY; r = (int *)(u - KEY);",
    "word u = ~(word)q; r = (int *)~u;",
    "unsigned lo = (word)q, hi = (word)q >> 16 >> 16; r = (int *)((word)hi << 16 << 16 | lo);",
    "unsigned char b[sizeof q]; memcpy(b, &q, sizeof q); memcpy(&r, b, sizeof r);",
    "unsigned char b[sizeof q]; for (unsigned k = 0; k < sizeof q; k++) b[k] = ((unsigned char *)&q)[k] ^ 0x5a; for (unsigned k = 0; k < sizeof q; k++) ((unsigned char *)&r)[k] = b[k] ^ 0x5a;",
    "union { int *p; word u; } v, w; v.p = q; w.u = v.u; r = w.p;",
    "word u = (word)q; r = (int *)((char *)0 + u);",
    "word u = (word)q, v = 0; for (unsigned k = 0; k < 8 * sizeof u; k++) if (u >> k & 1) v |= (word)1 << k; r = (int *)v;",
    "double d[1] = { 0 }; memcpy(d, &q, sizeof q); memcpy(&r, d, sizeof r);",
    "word u; __builtin_add_overflow((word)q, (word)8, &u); __builtin_sub_overflow(u, (word)8, &u); r = (int *)u;",
    "unsigned long long u = __builtin_bswap64((unsigned long long)(word)q); r = (int *)(word)__builtin_bswap64(u);",
    "word u = (word)q >> 3 | (word)q << (8 * sizeof(word) - 3); r = (int *)(u << 3 | u >> (8 * sizeof(word) - 3));",
    "static word hidden[3]; hidden[1] = (word)q; word *h = hidden; r = (int *)h[1];",
    "word d = (word)q - (word)&x; r = (int *)((word)&x + d);",
    "struct { char c; int *p; } a, b; a.c = 1; a.p = q; char *f = (char *)&a, *t = (char *)&b; for (unsigned k = 0; k < sizeof a; k++) t[k] = f[k]; r = b.p;",
    "int **pp = &q; void *v = pp; r = *(int **)v;",
    "word u = (word)q; word w = __sync_val_compare_and_swap(&u, u, u + 1); r = (int *)w;",
    "char *c = (char *)q; c += 1; c -= 1; r = (int *)(void *)c;",
    "word u = 3 * (word)q; r = (int *)(u - 2 * (word)q);",
    "unsigned short s[sizeof q / 2]; memcpy(s, &q, sizeof q); word u = 0; for (int k = sizeof q / 2; k--;) u = u << 8 << 8 | s[k]; r = (int *)u;",
    "char text[2 * sizeof q]; word u = (word)q, v = 0; for (unsigned k = 0; k < 2 * sizeof q; k++) text[k] = \"0123456789abcdef\"[u >> 4 * k & 15]; for (int k = 2 * sizeof q; k--;) v = v << 4 | (text[k] < 'a' ? text[k] - '0' : text[k] - 'a' + 10); r = (int *)v;",
];

const OBJECTS: &[&str] = &["&x", "&y", "&a[1]", "&s.k", "&z", "h"];

pub(crate) fn generate(random: &mut Random) -> Program {
    let mut program = Program::new(random);
    program.header("string.h");
    program.header("stdlib.h");
    program.global(&format!(
        "typedef unsigned long word; static const word KEY = {}; int x, y, a[3]; struct {{ char c; int k; }} s;",
        1 + random.below(1_000_000)
    ));
    let ways: Vec<&str> = (0..1 + random.below(2)).map(|_| *random.pick::<&str>(WAYS)).collect();
    for (number, way) in ways.iter().enumerate() {
        program.global(&format!("static int *way{number}(int *q) {{ int *r; {way} return r; }}"));
    }
    program.line("int z = 0, *h = malloc(sizeof *h), *p; if (!h) return 0; *h = 0;");
    for _ in 0..1 + random.below(2) {
        let (one, two) = (random.pick(OBJECTS), random.pick(OBJECTS));
        let choice = program.choice(random);
        let way = random.below(ways.len());
        program.line(&format!("p = way{way}({choice} ? {one} : {two}); *p += {};", 1 + random.below(9)));
        if random.chance(40) {
            program.observe(&format!("p == {one}"));
        }
        if random.chance(30) {
            program.line(&format!("*way{way}(p) *= 2;"));
        }
    }
    for object in ["x", "y", "a[1]", "s.k", "z", "*h"] {
        program.observe(object);
    }
    program
}
