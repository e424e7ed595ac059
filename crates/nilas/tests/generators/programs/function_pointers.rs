//! Function pointers in tables, structs and unions, as arguments and results, compared and cast.

use crate::kit::program::Program;
use crate::kit::random::Random;

const FUNCTIONS: &[&str] = &["add", "sub", "twist", "store"];
const PLACES: &[&str] = &["f", "table[0]", "table[1]", "table[2]", "unit.f", "(*ff)", "other.f"];

pub(crate) fn generate(random: &mut Random) -> Program {
    let mut program = Program::new(random);
    let (first, second) = (random.below(50), random.below(7) + 1);
    program.global(&format!(
        "typedef int (*op)(int, int); int kept;
static int add(int a, int b) {{ return a + b + {first}; }}
static int sub(int a, int b) {{ return a - {second} * b; }}
static int twist(int a, int b) {{ return a & 1 ? a ^ b : b + 2; }}
static int store(int a, int b) {{ kept += a; return kept - b; }}
struct unit {{ int k; op f; }};
static int apply(op f, int a) {{ return f(a, 3); }}
static int each(const int *a, int n, int (*f)(int, void *), void *context) {{ int s = 0; for (int i = 0; i < n; i++) s += f(a[i], context); return s; }}
static int count(int v, void *context) {{ ++*(int *)context; return v; }}
static int call(int v, void *context) {{ struct unit *u = context; return u->f(v, u->k); }}
static op other_of(op f) {{ return f == add ? sub : f == sub ? twist : add; }}
static op table[3] = {{ add, sub, store }};"
    ));
    let start = random.pick(FUNCTIONS);
    program.line(&format!(
        "op f = {start}; op *ff = &table[1]; struct unit unit = {{ 2, twist }}, other = {{ 5, add }}; int r = 1, n = 0, a[3] = {{ 4, 5, 6 }};"
    ));
    for _ in 0..4 + random.below(5) {
        let (place, from, function) = (random.pick(PLACES), random.pick(PLACES), random.pick(FUNCTIONS));
        let statement = match random.below(12) {
            0 | 1 => format!("{place} = {function};"),
            2 => format!("{place} = {from};"),
            3 => format!("r += {place}(r & 15, 2);"),
            4 => {
                let choice = program.choice(random);
                format!("{place} = {choice} ? {from} : {function};")
            }
            5 => {
                let choice = program.choice(random);
                format!("r ^= table[({choice}) & 1](r & 7, 1);")
            }
            6 => format!("r += apply({place}, 4); ff = &table[{}];", random.below(3)),
            7 => "r += each(a, 3, count, &n);".to_owned(),
            8 => format!("{}.f = {from}; r -= each(a, 2, call, &unit);", random.pick(&["unit", "other"])),
            9 => format!("{place} = other_of({from});"),
            10 => format!(
                "{{ void *v = (void *){from}; unsigned long w = (unsigned long)v; {place} = (op)w; }}"
            ),
            _ => format!(
                "{{ union {{ op f; char b[sizeof(op)]; }} u, w; u.f = {from}; for (unsigned k = 0; k < sizeof u; k++) w.b[k] = u.b[k]; {place} = w.f; }}"
            ),
        };
        if random.chance(20) {
            let choice = program.choice(random);
            program.line(&format!("if ({choice}) {{ {statement} }}"));
        } else {
            program.line(&statement);
        }
    }
    program.observe("r");
    program.observe("n");
    program.observe("kept");
    program.observe(&format!("{}(3, 4)", random.pick(PLACES)));
    program.observe(&format!("{} == {}", random.pick(PLACES), random.pick(FUNCTIONS)));
    program.observe(&format!("{} == {}", random.pick(PLACES), random.pick(PLACES)));
    program
}
