//! Blocks of bytes: copies, moves and fills of parts of arrays and structs of all widths, arrays that strings
//! initialise, static objects in functions, lists of zeroed objects.

use crate::kit::program::Program;
use crate::kit::random::Random;

/// Element types of the arrays, with sizes that are the same in both data models.
const TYPES: &[(&str, usize)] = &[
    ("unsigned char", 1),
    ("short", 2),
    ("unsigned short", 2),
    ("int", 4),
    ("unsigned", 4),
    ("long long", 8),
];
/// Elements of an array.
const LENGTH: usize = 4;

pub(crate) fn generate(random: &mut Random) -> Program {
    let mut program = Program::new(random);
    for header in ["string.h", "stdlib.h", "errno.h"] {
        program.header(header);
    }
    let arrays = [random.pick(TYPES), random.pick(TYPES), random.pick(TYPES)];
    for (number, (ty, _)) in arrays.iter().enumerate() {
        let first = random.below(300);
        program.global(&format!("{ty} a{number}[{LENGTH}] = {{ {first}, 5, {} }};", 1000 + first));
    }
    let (start, step) = (random.below(9), 1 + random.below(5));
    program.global(&format!(
        "struct mixed {{ char c; int n; short s[3]; long long w; }} m0 = {{ 1, 2, {{ 3 }}, 4 }}, m1;
struct node {{ int v; struct node *next; int rest[2]; }};
static int count(int by) {{ static int times = {start}; static int log[2] = {{ 7 }}; times += by; log[times & 1]++; return times * 10 + log[0]; }}
static int text(int k) {{ char s[6] = \"{}\"; int r = s[k]; s[k] = 'x'; s[5] = 'y'; return r + 2 * s[4]; }}
static struct node *list(int n) {{ struct node *top = 0; for (int i = 0; i < n; i++) {{ struct node *p = calloc(1, sizeof *p); p->v += i * {step}; p->next = top; p->rest[1]++; top = p; }} return top; }}
static int both(int a, int b) {{ return a * 7 + b; }}",
        random.pick(&["hello", "ab", "wxyz", ""])
    ));
    program.line("int r = 0;");
    for _ in 0..4 + random.below(3) {
        let statement = statement(&mut program, random, arrays);
        program.line(&statement);
    }
    program.observe("r");
    for number in 0..arrays.len() {
        let element = random.below(LENGTH);
        program.observe(&format!("a{number}[{element}]"));
    }
    program.observe("m1.n + m1.s[1]");
    program.observe("m0.w");
    program
}

fn statement(program: &mut Program, random: &mut Random, arrays: [&(&str, usize); 3]) -> String {
    let one = random.below(3);
    let other = (one + 1 + random.below(2)) % 3;
    let (room, there) = (arrays[one].1 * LENGTH, arrays[other].1 * LENGTH);
    let (from, to) = (random.below(there), random.below(room));
    let size = 1 + random.below((there - from).min(room - to));
    let choice = program.choice(random);
    match random.below(12) {
        0 => format!("memset(a{one}, {}, sizeof a{one});", 1 + random.below(254)),
        1 => {
            format!("memset((char *)a{one} + {to}, {}, {});", random.below(255), 1 + random.below(room - to))
        }
        2 => format!("memcpy((char *)a{one} + {to}, (char *)a{other} + {from}, {size});"),
        3 => format!("memmove((char *)a{one} + {}, a{one}, {});", room / 4, room / 2),
        4 => format!("memcpy(&m1, &m0, {});", [8, 10, 14, 20][random.below(4)]),
        5 => format!("m1 = m0; memset(&m1.n, {}, sizeof m1.n); m0.w += m1.n;", 1 + random.below(9)),
        6 => format!("r += count({}); r += count({});", 1 + random.below(3), random.below(3)),
        7 => format!("r = r * 3 + text({}) + text({});", random.below(5), random.below(5)),
        8 => format!(
            "{{ int sum = 0; for (struct node *p = list({}); p; p = p->next) sum = sum * 2 + p->v + p->rest[0]; r += sum; }}",
            4 + random.below(3)
        ),
        9 => format!(
            "r += both(text({}), both({}, text({})));",
            random.below(5),
            random.below(9),
            random.below(5)
        ),
        10 => "errno = 0; r += strtol(\"99999999999999999999\", 0, 10) > 5; r += errno == ERANGE;".to_owned(),
        _ => format!("if (({choice}) & 1) memset(a{one}, 255, {size}); else r ^= memcmp(&m0, &m1, 4) == 0;"),
    }
}
