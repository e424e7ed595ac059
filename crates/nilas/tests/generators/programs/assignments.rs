//! The value of an assignment: every kind of assignment to every kind of place, its value used in every way.
//!
//! A bit-field has every base type and every width; what is assigned is at a boundary, so that often it does
//! not fit.

use super::features::INTS;
use super::named;
use crate::kit::program::Program;
use crate::kit::random::Random;

/// A base type, and its bits if it may be that of a bit-field.
const TYPES: &[(&str, usize)] = &[
    ("signed char", 8),
    ("unsigned char", 8),
    ("short", 16),
    ("unsigned short", 16),
    ("int", 32),
    ("unsigned", 32),
    ("long long", 64),
    ("unsigned long long", 64),
    ("_Bool", 1),
    ("long", 0),
    ("unsigned long", 0),
    ("float", 0),
    ("double", 0),
];

/// Places of a type `T`, which are called `L` behind the declarations. `I` is zero, and may be an input.
const PLACES: &[(&str, &str)] = &[
    ("T L;", "L"),
    ("volatile T L;", "L"),
    ("static T L;", "L"),
    ("T a[3], *q = a + 2;", "q[-1]"),
    ("T a[3];", "a[1 + (I)]"),
    ("T x, *q = &x;", "(*q)"),
    ("T x, y, *q = (I) ? &y : &x;", "(*q)"),
    ("struct { char c; T m; char d; } s = { 1, 0, 2 };", "s.m"),
    ("struct { char c; T m[2]; } s[2], *q = s;", "q[1].m[1]"),
    ("union { T m; char c[8]; } u;", "u.m"),
    ("T *q = malloc(2 * sizeof *q); if (!q) return 0;", "q[1]"),
    ("T m[2][2]; int k = 0;", "m[1][k]"),
];

/// Places that are bit-fields of the type and width `T : W`.
const FIELDS: &[(&str, &str)] = &[
    ("struct { T m : W; } s = { 0 };", "s.m"),
    ("struct { unsigned char c : 3; T m : W; unsigned d : 5; } s = { 1, 0, 2 };", "s.m"),
    ("struct { T c : W; T m : W; T d : W; } s = { 1, 0, 1 }, *q = &s;", "q->m"),
    ("static struct { char c; T m : W; } s[2];", "s[1 - (I)].m"),
    ("union { struct { T m : W; } f; char c[8]; } u = { { 0 } };", "u.f.m"),
    ("volatile struct { T c : W; T m : W; } s = { 1, 0 };", "s.m"),
    ("struct { char c; T m : W; } __attribute__((packed)) s = { 1, 0 };", "s.m"),
];

/// Ways to use the value of `E`.
const USES: &[&str] = &[
    "v = (E);",
    "v = (E) + 1LL;",
    "v = (E) < 0;",
    "if (E) v = 1;",
    "v = take(E);",
    "short t = (E); v = t;",
    "long long t; v = t = (E);",
    "v = (E) ? 3 : 4;",
    "v = !(E);",
    "int t[4] = { 1, 2, 3, 4 }; v = t[(int)(E) & 3];",
    "v = ((E), 5);",
    "v = -(long long)(E);",
    "v = 1 && (E);",
    "switch ((int)(E)) { case 0: v = 1; break; case -1: v = 2; break; case 127: v = 3; break; default: v = 4; }",
    "while (E) { v = 9; break; }",
];

/// Programs for every type.
const EACH: usize = 4;
/// Assignments of a program.
const CASES: usize = 5;

pub(crate) fn count() -> usize {
    TYPES.len() * EACH
}

/// Assignments to places of one type.
pub(crate) fn program(number: usize, random: &mut Random) -> Program {
    let mut program = Program::new(random);
    program.header("stdlib.h");
    program.line("unsigned long long r = 0;");
    program.global("static long long take(long long x) { return x * 2; }");
    let &(ty, bits) = &TYPES[number % TYPES.len()];
    for _ in 0..CASES {
        let is_field = bits > 0 && random.chance(60);
        let &(declarations, place) = random.pick(if is_field { FIELDS } else { PLACES });
        let width = 1 + random.below(bits.max(1));
        let choice = if declarations.contains('I') || place.contains('I') {
            format!("({}) & 0", program.choice(random))
        } else {
            String::new()
        };
        let start = random.pick(&["0", "1", "2", "5"]);
        let mut text = format!(
            "{{ {declarations} long long v = 0; L = {start}; {} r = r * 31 + v; r ^= 8 * (unsigned long long)(long long)(L); }}",
            random.pick(USES)
        );
        let width = width.to_string();
        for (letter, with) in
            [("E", &*assignment(ty, random)), ("L", place), ("T", ty), ("W", &width), ("I", &choice)]
        {
            text = named(&text, letter, with);
        }
        program.line(&text);
    }
    program.observe("r");
    program
}

/// An assignment to `L`, without overflow of anything but the place.
fn assignment(ty: &str, random: &mut Random) -> String {
    let small = random.pick(&["1", "-1", "3", "-4", "7"]);
    let is_float = ty == "float" || ty == "double";
    match random.below(if is_float { 9 } else { 13 }) {
        0 | 1 if is_float => format!("L = {small}.5"),
        0 | 1 => format!("L = {}", random.pick(INTS)),
        2 => format!("L += {small}"),
        3 => format!("L -= {small}"),
        4 => format!("L *= {small}"),
        5 => format!("L /= {small}"),
        6 => (*random.pick(&["++L", "--L"])).to_owned(),
        7 => (*random.pick(&["L++", "L--"])).to_owned(),
        8 => format!("L = L - {small}"),
        9 => format!("L %= {small}"),
        10 => format!("L >>= {}", random.below(4)),
        11 => format!("L {} {}", random.pick(&["|=", "&=", "^="]), random.pick(INTS)),
        _ if ty.starts_with("unsigned") => format!("L <<= {}", random.below(3)),
        _ => "L = !L".to_owned(),
    }
}
