//! Functions of `math.h` and operations on the bits of floats, on concrete bits against gcc and its library.

use super::against_gcc::gcc;
use super::{Outcome, lowered, run};
use crate::types::DataModel;
use std::fmt::Write as _;

const DECLARATIONS: &str = "
    typedef unsigned long long u64;
    union d { double d; u64 u; };
    union f { float f; unsigned u; };
";

/// One format: its name in C, the suffix of its functions, its union and the bits of a float.
struct Format {
    ty: &'static str,
    suffix: &'static str,
    letter: char,
    exponent: u32,
    fraction: u32,
}

const FORMATS: [Format; 2] = [
    Format { ty: "double", suffix: "", letter: 'd', exponent: 11, fraction: 52 },
    Format { ty: "float", suffix: "f", letter: 'f', exponent: 8, fraction: 23 },
];

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// The bits of a float: a special one, a number of moderate size, or any.
    fn float(&mut self, format: &Format) -> u64 {
        let (exponent, fraction) = (format.exponent, format.fraction);
        let ones = (1_u64 << exponent) - 1;
        let bias = ones >> 1;
        let noise = self.next() >> (64 - fraction);
        let quiet = 1_u64 << (fraction - 1);
        let (field, fraction_bits) = match self.next() % 16 {
            0 => (0, 0),
            1 => (0, noise),
            2 => (0, 1),
            3 => (ones, 0),
            4 => (ones, quiet | noise),
            5 => (ones, noise & (quiet - 1) | 1),
            6 => (ones - 1, (1 << fraction) - 1),
            7 => (1, 0),
            8 => (bias, 0),
            // Halves and small whole numbers.
            9 | 10 => (bias + self.next() % 5 - 1, noise & !(quiet / 4 - 1)),
            11..=13 => (bias + self.next() % 80 - 20, noise),
            _ => (self.next() & ones, noise),
        };
        (self.next() & 1) << (exponent + fraction) | field << fraction | fraction_bits
    }
}

/// Statements that leave what they compute in `r` or in `h`, for operands `a`, `b`, `c` (unions) and `n` (an
/// `int`). `F` is the type, `S` the suffix of functions, `U` the union's member.
const EXACT: &[(&str, &str)] = &[
    ("F fabsS(F);", "r.U = fabsS(a.U); h += r.u;"),
    ("F copysignS(F, F);", "r.U = copysignS(a.U, b.U); h += r.u;"),
    ("", "r.U = -a.U; h += r.u;"),
    ("", "r.U = a.U; r.U = n & 1 ? r.U : b.U; h += r.u;"),
    ("", "h += __builtin_signbit(a.U) != 0;"),
    ("", "h += __builtin_isnan(a.U) + 2 * __builtin_isinf_sign(a.U) + 8 * __builtin_isfinite(a.U);"),
    ("", "h += __builtin_isnormal(a.U) + 2 * __builtin_fpclassify(10, 11, 12, 13, 14, a.U);"),
    (
        "",
        "h += __builtin_isless(a.U, b.U) + 2 * __builtin_isunordered(a.U, b.U) + 4 * __builtin_islessgreater(a.U, b.U);",
    ),
    ("", "union f x; x.f = a.U; h += x.u;"),
    ("", "union d x; x.d = a.U; h += x.u;"),
    ("int ilogbS(F);", "h += ilogbS(a.U);"),
    ("long lrintS(F);", "if (a.U > -1e9 && a.U < 1e9) h += lrintS(a.U);"),
    ("long long llroundS(F);", "if (a.U > -1e15 && a.U < 1e15) h += llroundS(a.U);"),
];

/// The same for what may be a NaN with any bits.
const COMPUTED: &[(&str, &str)] = &[
    ("", "r.U = a.U + b.U;"),
    ("", "r.U = a.U - b.U;"),
    ("", "r.U = a.U * b.U;"),
    ("", "r.U = a.U / b.U;"),
    ("", "r.U = n;"),
    ("F sqrtS(F);", "r.U = sqrtS(a.U);"),
    ("F floorS(F);", "r.U = floorS(a.U);"),
    ("F ceilS(F);", "r.U = ceilS(a.U);"),
    ("F truncS(F);", "r.U = truncS(a.U);"),
    ("F roundS(F);", "r.U = roundS(a.U);"),
    ("F roundevenS(F);", "r.U = roundevenS(a.U);"),
    ("F rintS(F);", "r.U = rintS(a.U);"),
    ("F nearbyintS(F);", "r.U = nearbyintS(a.U);"),
    ("F fminS(F, F);", "a.U += 0; b.U += 0; r.U = fminS(a.U, b.U); if (r.U == 0) r.U = 0;"),
    ("F fmaxS(F, F);", "a.U += 0; b.U += 0; r.U = fmaxS(a.U, b.U); if (r.U == 0) r.U = 0;"),
    ("F fmodS(F, F);", "r.U = fmodS(a.U, b.U);"),
    ("F remainderS(F, F);", "r.U = remainderS(a.U, b.U);"),
    ("F fdimS(F, F);", "r.U = fdimS(a.U, b.U);"),
    ("F fmaS(F, F, F);", "r.U = fmaS(a.U, b.U, c.U);"),
    ("F nextafterS(F, F);", "r.U = nextafterS(a.U, b.U);"),
    ("F nexttowardS(F, long double);", "r.U = nexttowardS(a.U, b.U);"),
    ("F ldexpS(F, int);", "r.U = ldexpS(a.U, n);"),
    ("F scalblnS(F, long);", "r.U = scalblnS(a.U, n);"),
    ("F logbS(F);", "r.U = logbS(a.U);"),
    ("F significandS(F);", "r.U = significandS(a.U);"),
    ("F frexpS(F, int *);", "int e = 0; r.U = frexpS(a.U, &e); if (a.U - a.U == 0) h += e;"),
    ("F modfS(F, F *);", "F w; r.U = modfS(a.U, &w); if (w == w) h += (u64)(w == a.U) + 7 * (r.U == 0);"),
];

/// A program that does a statement for several operands, and collects what it gives in `chk`.
fn program(number: usize, format: &Format, statement: &str, computed: bool, random: &mut Random) -> String {
    let mut text = format!("u64 chk{number};\nvoid prog{number}(void) {{ u64 h = 0;\n");
    let result = if computed { "h += r.U == r.U ? r.u : 1;" } else { "" };
    for _ in 0..24 {
        let [a, b, c] = [(); 3].map(|()| random.float(format));
        let distance = match random.next() % 3 {
            0 => random.next() % 7,
            1 => random.next() % 300,
            _ => random.next() % 3000,
        };
        let sign = if random.next().is_multiple_of(2) { "-" } else { "" };
        let _ = writeln!(
            text,
            "{{ union X a, b, c, r; int n = {sign}{distance}; a.u = {a:#x}; b.u = {b:#x}; c.u = {c:#x}; r.u = 0; \
             {statement} {result} h *= 31; }}",
        );
    }
    let _ = writeln!(text, "chk{number} = h; }}");
    instantiate(&text, format)
}

fn instantiate(text: &str, format: &Format) -> String {
    let mut result = String::new();
    let mut rest = text;
    // `S` only stands for the suffix at the end of a name.
    while let Some(place) = rest.find(['F', 'S', 'U', 'X']) {
        let (before, from) = rest.split_at(place);
        result.push_str(before);
        let inside = before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let followed = from[1..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        match from.as_bytes()[0] {
            b'F' if !inside && !followed => result.push_str(format.ty),
            b'S' if inside && !followed => result.push_str(format.suffix),
            b'U' if !inside && !followed => result.push(format.letter),
            b'X' if !inside && !followed => result.push(format.letter),
            letter => result.push(char::from(letter)),
        }
        rest = &from[1..];
    }
    result + rest
}

#[test]
fn concrete_bits_mean_what_gcc_says() {
    let rounds = std::env::var("NILAS_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let seed: u64 = std::env::var("NILAS_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(11);
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let mut declarations = DECLARATIONS.to_owned();
    let mut programs = Vec::new();
    for format in &FORMATS {
        for (declaration, statement) in EXACT.iter().chain(COMPUTED) {
            let _ = writeln!(declarations, "{}", instantiate(declaration, format));
            let computed = COMPUTED.iter().any(|(_, other)| other == statement);
            for _ in 0..rounds {
                programs.push(program(programs.len(), format, statement, computed, &mut random));
            }
        }
    }
    let Some(expected) = gcc(&declarations, &programs) else { return };
    for (number, (program, expected)) in programs.iter().zip(expected).enumerate() {
        let text = format!("{declarations}{program}\nint main(void) {{ prog{number}(); return 0; }}\n");
        let lowered = lowered(&text, DataModel::Lp64);
        let (outcome, values) = run(&lowered, &[]);
        assert_eq!(outcome, Outcome::End, "program {number}\n{program}");
        let name = format!("chk{number}");
        let (_, value) = values.iter().find(|(variable, _)| *variable == name).unwrap();
        let found = value.as_bitvec().unwrap().to_u64().unwrap();
        assert_eq!(found, expected, "program {number}, seed {seed}\n{program}");
    }
}
