//! Floats through bits: `memcpy`, unions and bytes, NaN with sign and payload, zeros with sign, and the
//! functions that IEEE 754 defines on bits. Results of arithmetic on NaN are observed as NaN only: their bits
//! are not defined.

use crate::kit::program::Program;
use crate::kit::random::Random;

/// Quiet NaNs, infinities, zeros, numbers below the normal ones, and others.
const SINGLE: &[&str] = &[
    "0x7fc00000u",
    "0xffc00000u",
    "0x7fc00123u",
    "0xffe00001u",
    "0x7f800000u",
    "0xff800000u",
    "0x80000000u",
    "0u",
    "1u",
    "0x80000001u",
    "0x3f800000u",
    "0xc0490fdbu",
    "0x7f7fffffu",
    "0x4b000000u",
];
const DOUBLE: &[&str] = &[
    "0x7ff8000000000000ull",
    "0xfff8000000000000ull",
    "0x7ff8000000000abcull",
    "0xfffc000000000001ull",
    "0x7ff0000000000000ull",
    "0xfff0000000000000ull",
    "0x8000000000000000ull",
    "0ull",
    "1ull",
    "0x3ff0000000000000ull",
    "0xc00921fb54442d18ull",
    "0x7fefffffffffffffull",
];

pub(crate) fn generate(random: &mut Random) -> Program {
    let mut program = Program::new(random);
    program.header("math.h");
    program.header("string.h");
    let single = random.chance(50);
    let (float, word, suffix) =
        if single { ("float", "unsigned", "f") } else { ("double", "unsigned long long", "") };
    let patterns = if single { SINGLE } else { DOUBLE };
    program.global(&format!(
        "typedef {float} real; typedef {word} word; union both {{ real f; word u; unsigned char b[sizeof(real)]; }};
struct box {{ char c; real f; int k; }};
static word bits(const real *f) {{ word u; memcpy(&u, f, sizeof u); return u; }}
static void from(real *f, word u) {{ memcpy(f, &u, sizeof u); }}
real g[2];"
    ));
    let (first, second) = (random.pick(patterns), random.pick(patterns));
    let choice = program.choice(random);
    program.line(&format!(
        "real x, y; union both v; struct box box = {{ 1, 0, 2 }}, copy; from(&x, {choice} ? {first} : {second}); from(&y, {}); v.u = {}; long long r = 0;",
        random.pick(patterns),
        random.pick(patterns)
    ));
    for _ in 0..3 + random.below(5) {
        let names = ["x", "y", "v.f", "box.f", "g[1]"];
        let (one, two) = (random.pick(&names), random.pick(&names));
        let statement = match random.below(17) {
            0 => format!("{one} = {two};"),
            1 => format!("{one} = -{two};"),
            2 => format!("{one} = fabs{suffix}({two});"),
            3 => format!("{one} = copysign{suffix}({two}, {});", random.pick(&names)),
            4 => format!("r = r * 3 + (signbit({one}) != 0);"),
            5 => format!("r = r * 3 + ({one} < {two}) + 2 * ({one} == {two});"),
            6 => format!("r = r * 3 + (isnan({one}) != 0) + 4 * (isinf({two}) != 0);"),
            7 => format!("from(&{one}, {});", random.pick(patterns)),
            8 => format!("copy = box; copy.f = {one}; box = copy; r += box.k;"),
            9 => format!("memcpy(g, &{one}, sizeof *g); g[1] = g[0];"),
            10 => format!(
                "v.f = {one}; v.b[{}] ^= {};",
                random.below(if single { 2 } else { 6 }),
                1 + random.below(255)
            ),
            11 => format!("v.f = {one}; v.u ^= (word)1 << (8 * sizeof(word) - 1);"),
            12 => format!("{{ real s = {one} + {two}; r = r * 3 + (s != s); if (s == s) r ^= bits(&s); }}"),
            13 => format!("{{ real s = {one} * {two}; r = r * 3 + (s != s); if (s == s) r ^= bits(&s); }}"),
            14 => format!("if ({one} > -1000 && {one} < 1000) r += (int){one};"),
            15 => format!(
                "r = r * 3 + (fpclassify({one}) == FP_{});",
                random.pick(&["NAN", "ZERO", "NORMAL", "INFINITE", "SUBNORMAL"])
            ),
            _ => format!(
                "{{ char *f = (char *)&{one}, *t = (char *)&{two}; for (unsigned k = 0; k < sizeof(real); k++) t[k] = f[k]; }}"
            ),
        };
        program.line(&statement);
    }
    program.observe("r");
    for value in ["x", "y", "v.f", "box.f", "g[1]"] {
        program.observe(&format!("bits(&{value})"));
    }
    program.observe(&format!("v.b[{}]", if single { 3 } else { 7 }));
    program
}
