//! Round trips: a pointer is written down in another form (a number, bytes, bits, text) and made from it
//! again, all of which C defines as long as the value is the same (6.3.2.3, 6.2.6.1). It is kept in memory of
//! every kind in between.

use crate::kit::program::Program;
use crate::kit::random::Random;

/// From the pointer `q` to the pointer `p`; `I` is zero, and may be an input. `GUESS` is an input that happens
/// to have a value.
const TRIPS: &[&str] = &[
    "word u = (word)q; p = (int *)u;",
    "word u = (word)q + (I); p = (int *)u;",
    "word u = (word)q ^ 4095; u ^= 4095; p = (int *)u;",
    "word u = ~(word)q; p = (int *)~u;",
    "word u = -(word)q; p = (int *)-u;",
    "word u = (word)q, v = u >> 8, w = u & 255; p = (int *)(v << 8 | w);",
    "word u = (word)q, v = 0; for (unsigned k = 0; k < 8 * sizeof u; k++) if (u >> k & 1) v |= (word)1 << k; p = (int *)v;",
    "word u = (word)q, v = 0; for (unsigned k = 0; k < sizeof u; k++) v |= (u >> 8 * k & 255) << 8 * k; p = (int *)v;",
    "word u = (word)q; unsigned char b[sizeof u]; memcpy(b, &u, sizeof u); memcpy(&p, b, sizeof p);",
    "unsigned char b[sizeof q]; for (unsigned k = 0; k < sizeof q; k++) b[k] = ((unsigned char *)&q)[k]; for (unsigned k = 0; k < sizeof q; k++) ((unsigned char *)&p)[k] = b[k];",
    "char s[40]; sprintf(s, \"%p\", (void *)q); void *v; sscanf(s, \"%p\", &v); p = v;",
    "word u = (word)q; char s[40]; sprintf(s, \"%lu\", (unsigned long)u); p = (int *)strtoul(s, 0, 10);",
    "union { int *p; word u; unsigned char b[sizeof(word)]; } x; x.p = q; word u = x.u; x.p = 0; x.u = u; p = x.p;",
    "union { int *p; unsigned char b[sizeof(int *)]; } x, y; x.p = q; for (unsigned k = 0; k < sizeof q; k++) y.b[k] = x.b[k]; p = y.p;",
    "struct { word low : 16; word high : 16; word rest; } f; word u = (word)q; f.low = u; f.high = u >> 16; f.rest = u >> 16 >> 16; p = (int *)((word)f.low | (word)f.high << 16 | (word)f.rest << 16 << 16);",
    "word u = (word)q | 1; if (u & 1) u -= 1; p = (int *)u;",
    "word u = (word)q, v = 0; while (v != u) v = u; p = (int *)v;",
    "word a = (word)q / 16, b = (word)q % 16; p = (int *)(a * 16 + b);",
    "int *t[2] = { q, 0 }; word u = (word)t[(I)]; p = (int *)u;",
    "word u[2] = { 0, (word)q }; memmove(u, u + 1, sizeof *u); p = (int *)u[0];",
    "word u = (word)q; p = u == (word)&x ? &x : u == (word)&y ? &y : u == (word)&a[1] ? &a[1] : q;",
    "word u; GUESS(u, (word)q) p = (int *)u;",
    "word u; GUESS(u, (word)q ^ 255) u ^= 255; p = (int *)u;",
    "word u[2] = { 0 }; GUESS(u[1], (word)q) p = (int *)u[1];",
    "union { word u; int *p; } x; GUESS(x.u, (word)q) p = x.p;",
    "word u; do { GUESS(u, (word)q) } while (!u); p = (int *)u;",
    "long d = (char *)q - (char *)q; p = (int *)((char *)q + d);",
    "void *volatile v = q; p = (int *)v;",
    "double d; int *w[2] = { q, q }; memcpy(&d, w, sizeof d); int *back[2]; memcpy(back, &d, sizeof d); p = back[0];",
];

/// Where a pointer is kept on its way: `q` goes in, `p` comes out.
const KEEPING: &[&str] = &[
    "p = q;",
    "static int *kept; kept = q; p = kept;",
    "struct { char c; int *p; } s; s.p = q; p = s.p;",
    "int **b = malloc(2 * sizeof *b); if (!b) exit(1); b[1] = q; p = b[1];",
    "int *t[3] = { 0 }; t[1 + (I)] = q; p = t[1];",
    "void *v = q, **w = &v; p = *w;",
    "int **b = 0; for (int k = 0; k < 2; k++) { b = malloc(sizeof *b); if (!b) exit(1); *b = q; } p = *b;",
    "keep(&p, q);",
    "struct box b = { q }, c; c = b; p = c.p;",
];

const OBJECTS: &[&str] = &["&x", "&y", "&a[1]", "a", "&z", "h", "h + 1", "(int *)&s"];

pub(crate) fn count() -> usize {
    TRIPS.len() * 2
}

/// One round trip, with something before and behind.
pub(crate) fn program(number: usize, random: &mut Random) -> Program {
    let mut program = Program::new(random);
    program.guesses = true;
    for header in ["stdlib.h", "string.h", "stdio.h"] {
        program.header(header);
    }
    program.global(
        "typedef unsigned long word; int x, y, a[3]; struct { int k; char c; } s; struct box { int *p; };
static void keep(int **to, int *from) { *to = from; }",
    );
    let choice = format!("(({}) & 0)", program.choice(random));
    let steps = [random.pick::<&str>(KEEPING), TRIPS[number % TRIPS.len()], random.pick::<&str>(KEEPING)];
    for (place, step) in steps.iter().enumerate() {
        let step = super::named(step, "I", "input");
        program.global(&format!("static int *step{place}(int *q, int input) {{ int *p; {step} return p; }}"));
    }
    program.line("int z = 0, *h = calloc(2, sizeof *h), *p; if (!h) return 0;");
    let (one, two) = (random.pick(OBJECTS), random.pick(OBJECTS));
    program.line(&format!("p = {choice} ? {two} : {one};"));
    program.line(&format!("p = step2(step1(step0(p, {choice}), {choice}), {choice});"));
    program.line(&format!("*p += {};", 1 + random.below(9)));
    program.observe(&format!("p == {one}"));
    for object in ["x", "y", "a[0]", "a[1]", "s.k", "z", "h[0]", "h[1]"] {
        program.observe(object);
    }
    program
}
