//! Built-in functions on integers of all widths: overflow, bytes, bits, and rotations.

use crate::kit::program::Program;
use crate::kit::random::Random;

const TYPES: &[&str] = &[
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
];

pub(crate) fn generate(random: &mut Random) -> Program {
    let mut program = Program::new(random);
    program.global("long long r; struct { int before; short v; int after; } s; int a[2];");
    for number in 0..4 {
        let ty = random.pick(TYPES);
        let value = if random.chance(40) {
            format!("(({}) * {}u)", program.choice(random), random.below(1 << 30))
        } else {
            number_near_a_power(random)
        };
        program.line(&format!("{ty} x{number} = {value};"));
    }
    for place in 0..3 + random.below(4) {
        let (one, two) = (random.below(4), random.below(4));
        let operator = random.pick(&["add", "sub", "mul"]);
        let statement = match random.below(12) {
            0 | 1 => format!(
                "{{ {} t; r = r * 3 + __builtin_{operator}_overflow(x{one}, x{two}, &t); r ^= t; }}",
                random.pick(TYPES)
            ),
            2 => format!(
                "r += __builtin_{operator}_overflow(x{one}, {}, &s.v); r += s.v;",
                number_near_a_power(random)
            ),
            3 => format!("{{ int t; r += __builtin_s{operator}_overflow(x{one}, x{two}, &t); r ^= t; }}"),
            4 => format!(
                "{{ unsigned long long t; r += __builtin_u{operator}ll_overflow(x{one}, x{two}, &t); r ^= t; }}"
            ),
            5 => format!("r ^= __builtin_bswap{}(x{one});", random.pick(&["16", "32", "64"])),
            6 => format!(
                "r += __builtin_popcount{0}(x{one}) * 3 + __builtin_parity{0}(x{two});",
                random.pick(&["", "l", "ll"])
            ),
            7 => format!("if (x{one}) r += __builtin_c{}zll(x{one});", random.pick(&["l", "t"])),
            8 => format!("r += __builtin_ffs{}(x{one});", random.pick(&["", "l", "ll"])),
            9 => format!("if (__builtin_expect(x{one} > x{two}, 1)) r += {place} + 1;"),
            10 => {
                format!("{{ unsigned u = x{one}; r ^= u << {0} | u >> (32 - {0}); }}", 1 + random.below(31))
            }
            _ => format!(
                "r = r * 5 + __builtin_{operator}_overflow_p(x{one}, x{two}, ({})0);",
                random.pick(TYPES)
            ),
        };
        program.line(&statement);
        if random.chance(30) {
            program.line(&format!("x{one} += x{two};"));
        }
    }
    program.observe("r");
    program.observe("s.before + s.after");
    for number in 0..4 {
        program.observe(&format!("x{number}"));
    }
    program
}

fn number_near_a_power(random: &mut Random) -> String {
    let power = random.below(63);
    format!("({}(1ULL << {power}) + {} - 2)", random.pick(&["", "-"]), random.below(5))
}
