//! Recursion with locals that escape: callees write into the frames of their callers, and walk over them.

use crate::kit::program::Program;
use crate::kit::random::Random;

pub(crate) fn generate(random: &mut Random) -> Program {
    let mut program = Program::new(random);
    let (factor, offset) = (2 + random.below(3), random.below(9));
    program.global(&format!(
        "struct frame {{ struct frame *up; int v; int *local; }} *top; int *seen[8]; int base;
static int chain(int n) {{ int x = n + {offset}; struct frame f = {{ top, n, &x }}; top = &f; int s = 0;
  if (n > 0) s = chain(n - 1); else for (struct frame *p = top; p; p = p->up) {{ s = s * {factor} + p->v; *p->local += 1; }}
  top = f.up; return s + x; }}
static void into(int n, int *up) {{ int x = n; if (n > 0) {{ into(n - 1, &x); into(n / 2 - 1, up); }} *up = *up * {factor} + x; }}
static int even(int n, int **p); static int odd(int n, int **p) {{ int k = n; if (n <= 0) return **p; if (n & 1) *p = &k; int r = even(n - 1, p); return r + k; }}
static int even(int n, int **p) {{ int k = {offset}; if (n <= 0) {{ **p += k; return **p; }} return odd(n - 1, p) * 2; }}
static int fill(int n) {{ int x[2] = {{ n, n * {factor} }}; seen[n] = &x[n & 1]; int s = n < 3 ? fill(n + 1) : 0; if (n == 3) for (int k = base; k < 4; k++) s += *seen[k] * (k + 1); else x[0]++; return s + x[0]; }}
static int apply(int (*f)(int), int n) {{ int keep = n; int r = n > 1 ? apply(f, n - 2) : f(2); return r + keep; }}
static int gcd(int a, int b, int *steps) {{ ++*steps; return b ? gcd(b, a % b, steps) : a; }}"
    ));
    program.line("int r = 0, s = 0, k = 1, *p = &k;");
    for _ in 0..2 + random.below(2) {
        let argument = argument(&mut program, random);
        let statement = match random.below(6) {
            0 => format!("r += chain({argument});"),
            1 => format!("into({argument}, &s);"),
            2 => format!("p = &k; r ^= {}({argument}, &p);", random.pick(&["odd", "even"])),
            3 => format!("base = {0}; r += fill({0});", random.below(3)),
            4 => format!("base = 2; r += apply({}, {argument});", random.pick(&["chain", "fill"])),
            _ => format!("r += gcd({}, {argument}, &s);", 6 + random.below(20)),
        };
        program.line(&statement);
    }
    program.observe("r");
    program.observe("s");
    program.observe("k");
    program.observe("top == 0");
    program
}

fn argument(program: &mut Program, random: &mut Random) -> String {
    if random.chance(40) {
        format!("(({}) & 3)", program.choice(random))
    } else if random.chance(15) {
        // Deeper than calls are inlined at first.
        (5 + random.below(2)).to_string()
    } else {
        (1 + random.below(3)).to_string()
    }
}
