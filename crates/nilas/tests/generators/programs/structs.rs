//! Structs by value: copied, passed, returned, nested, with arrays and bit-fields, and written through
//! pointers to their members.

use crate::kit::program::Program;
use crate::kit::random::Random;

const PARTS: &[&str] =
    &["a", "c", "in.x", "in.y[0]", "in.y[2]", "f", "g", "pair[1].x", "pair[0].y[1]", "big"];

pub(crate) fn generate(random: &mut Random) -> Program {
    let mut program = Program::new(random);
    let (low, high) = (1 + random.below(7), 1 + random.below(20));
    program.global(&format!(
        "struct in {{ short x; unsigned char y[3]; }};
struct out {{ int a; char c; struct in in; unsigned f : {low}; int g : {high}; struct in pair[2]; long long big; int *p; }};
struct out g1, g2; struct in lone;
static struct out make(int k) {{ struct out o = {{ .a = k, .in = {{ k + 1, {{ k, 2 }} }}, .f = k, .g = k * 3, .big = k, .p = &g1.a }}; return o; }}
static struct in turn(struct in i) {{ unsigned char t = i.y[0]; i.y[0] = i.y[2]; i.y[2] = t; i.x = -i.x; return i; }}
static int total(struct out o) {{ o.a += o.c; *o.p += 1; return o.a + o.in.x * 3 + o.in.y[1] + o.f + o.g + o.pair[1].y[2] + (int)o.big; }}
static void change(struct out *o, int *k) {{ o->a += *k; *k = o->in.x; o->pair[1] = turn(o->in); }}"
    ));
    program.line(&format!(
        "struct out l = make({}), array[2] = {{ {{ 1 }}, {{ .c = 3 }} }}; int r = 0; array[0].p = &r; array[1].p = &l.a; g1.p = &g2.a; g2.p = &r; struct out *p = &g1;",
        random.below(90)
    ));
    let owners = ["g1", "g2", "l", "array[1]", "(*p)"];
    for _ in 0..4 + random.below(6) {
        let (owner, other) = (random.pick(&owners), random.pick(&owners));
        let (part, from) = (random.pick(PARTS), random.pick(PARTS));
        let number = random.below(300);
        let statement = match random.below(13) {
            0 | 1 => format!("{owner}.{part} = {number};"),
            2 => format!("{owner}.{part} ^= {other}.{from};"),
            3 | 4 => format!("{owner} = {other};"),
            5 => format!("{owner}.in = turn({other}.pair[{}]);", random.below(2)),
            6 => {
                let choice = program.choice(random);
                format!("p = {choice} ? &l : &array[{}];", random.below(2))
            }
            7 => format!("change(&{owner}, &{other}.a);"),
            8 => format!("{{ int t = total({owner}); r += t; }}"),
            9 => {
                let choice = program.choice(random);
                format!("{owner} = make({choice});")
            }
            10 => format!("{owner}.pair[0] = (struct in){{ {number}, {{ 1, 2, {} }} }};", random.below(200)),
            11 => format!("{{ struct in *q = &{owner}.pair[1]; *q = {other}.in; q->y[1]++; lone = *q; }}"),
            _ => {
                let choice = program.choice(random);
                format!("{owner}.pair[({choice}) & 1].y[{}] = {number};", random.below(3))
            }
        };
        program.line(&statement);
    }
    program.observe("r");
    program.observe("lone.y[1]");
    for owner in owners {
        program.observe(&format!("{owner}.{}", random.pick(PARTS)));
        program.observe(&format!("*{owner}.p"));
    }
    program.observe("total(*p)");
    program
}
