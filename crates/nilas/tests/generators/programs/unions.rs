//! Unions and punning: a value is written as one type and read as another, whole or by parts.

use crate::kit::program::Program;
use crate::kit::random::Random;

/// Members without padding, with the parts that can be written and read.
const PARTS: &[&str] = &[
    "b[0]", "b[1]", "b[3]", "b[4]", "b[7]", "h[0]", "h[1]", "h[2]", "h[3]", "w[0]", "w[1]", "l", "s.low",
    "s.high", "f.a", "f.b", "f.c", "n.x.k", "n.y", "n.x.m",
];

pub(crate) fn generate(random: &mut Random) -> Program {
    let mut program = Program::new(random);
    program.header("string.h");
    program.global(
        "union u { unsigned char b[8]; short h[4]; unsigned w[2]; unsigned long long l; struct { int low, high; } s;
  struct { unsigned a : 7; int b : 13; unsigned c : 12; unsigned rest; } f; struct { struct { short k; unsigned short m; } x; int y; } n; };
union u g; struct holder { char tag; union u u; int after; } holder;
static union u change(union u v, int k) { v.w[1] += k; return v; }
static void put(union u *p, unsigned char k) { p->b[2] ^= k; }
static int part(const union u *p) { return p->n.x.m; }",
    );
    program
        .line("union u v = { { 1, 2, 3, 4, 5, 6, 7, 8 } }, *p = &g, array[2]; array[0] = v; array[1] = v;");
    let owners = ["g", "v", "(*p)", "holder.u", "array[1]"];
    for _ in 0..4 + random.below(6) {
        let (owner, other) = (random.pick(&owners), random.pick(&owners));
        let (part, from) = (random.pick(PARTS), random.pick(PARTS));
        let number = random.below(70000);
        let statement = match random.below(11) {
            0..=2 => format!("{owner}.{part} = {number};"),
            3 => format!("{owner}.{part} += {other}.{from};"),
            4 => format!("{owner} = {other};"),
            5 => {
                let choice = program.choice(random);
                format!("p = {choice} ? &v : &holder.u;")
            }
            6 => format!("{owner} = change({other}, {number}); put(&{owner}, {});", random.below(256)),
            7 => format!("memcpy(&{owner}, &v, {});", 1 + random.below(8)),
            8 => format!("((char *)&{owner})[{}] = {};", random.below(8), random.below(100)),
            9 => format!("*(unsigned short *)((char *)&{owner} + {}) ^= {number};", 2 * random.below(4)),
            _ => {
                let choice = program.choice(random);
                format!("{owner}.b[({choice}) & 7] = {};", random.below(200))
            }
        };
        program.line(&statement);
    }
    for owner in ["g", "v", "holder.u"] {
        program.observe(&format!("{owner}.l"));
        program.observe(&format!("{owner}.{}", random.pick(PARTS)));
    }
    program.observe("part(p)");
    program.observe("holder.after + holder.tag");
    program
}
