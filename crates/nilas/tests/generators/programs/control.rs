//! Control flow: `switch` that falls through, `goto` in and out of blocks, computed `goto`, loops with
//! `break` and `continue`, and `cleanup` functions on every way out. The trace of visited places is observed.

use crate::kit::program::Program;
use crate::kit::random::Random;

pub(crate) fn generate(random: &mut Random) -> Program {
    let mut program = Program::new(random);
    program.global(
        "unsigned trace = 1; static void at(unsigned k) { trace = trace * 7 + k; }
static void leave(int *p) { at(*p); }",
    );
    let count = 1 + random.below(2);
    for number in 0..count {
        let body = block(random, 2, number);
        program.global(&format!(
            "static int f{number}(int n) {{ int steps = 0; again{number}: if (++steps > 6) return n;\n{body}\n  return n + steps; }}"
        ));
    }
    program.line("int r = 0;");
    for number in 0..count {
        let argument = program.input(random);
        program.line(&format!("r = r * 5 + f{number}(({argument}) & 3);"));
    }
    program.observe("r");
    program.observe("trace");
    program
}

/// Statements on `n` and `steps`; `number` names the function's labels.
fn block(random: &mut Random, depth: usize, number: usize) -> String {
    (0..1 + random.below(3)).map(|_| statement(random, depth, number)).collect::<Vec<_>>().join("\n")
}

fn statement(random: &mut Random, depth: usize, number: usize) -> String {
    let place = 1 + random.below(60);
    if depth == 0 {
        return match random.below(4) {
            0 => format!("n += {}; at({place});", random.below(5)),
            1 => format!("if (n > {}) return n + {place};", 2 + random.below(4)),
            2 => format!("if (n == {} && steps < 3) {{ n++; goto again{number}; }}", random.below(5)),
            _ => format!("at({place});"),
        };
    }
    let mut inside = || block(random, depth - 1, number);
    let (one, two) = (inside(), inside());
    let bound = 1 + random.below(3);
    match random.below(9) {
        0 => format!("if (n & {bound}) {{ {one} }} else {{ {two} }}"),
        1 => format!(
            "switch (n) {{ case 0: {one} case 1: at({place}); break; case 2 ... 3: {two} default: n--; }}"
        ),
        2 => format!(
            "for (int k = 0; k < {bound}; k++) {{ at(k); if (k == n) continue; {one} if (n > 5) break; }}"
        ),
        3 => format!("{{ int k = 0; do {{ at({place}); {one} }} while (++k < {bound} && n < 6); }}"),
        4 => format!("{{ int c __attribute__((cleanup(leave))) = {place}; {one} c++; }}"),
        5 => format!(
            "for (int k = 0; k < {bound}; k++) {{ int c __attribute__((cleanup(leave))) = k + {place}; if (k == n) continue; if (n == 4) break; {one} }}"
        ),
        6 => format!(
            "{{ __label__ a, b, end; void *to[2] = {{ &&a, &&b }}; goto *to[n & 1]; a: at({place}); n++; goto end; b: at(2); end: at(3); }}"
        ),
        7 => format!(
            "{{ __label__ in; int k = 0; if (n == 1) goto in; while (k < {bound}) {{ at(k); in: k++; n += k & 1; }} {one} }}"
        ),
        _ => format!("n = ({{ int t = n; if (t < {bound}) at({place}); t + 1; }}); {two}"),
    }
}
