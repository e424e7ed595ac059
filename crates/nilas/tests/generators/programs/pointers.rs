//! Pointers to pointers: objects of three levels, and statements that move pointers between them.

use crate::kit::program::Program;
use crate::kit::random::Random;

const INTEGERS: &[&str] = &["x", "y", "a[0]", "a[1]", "a[2]", "s.v", "z"];
const POINTERS: &[&str] = &["p", "q", "t[0]", "t[1]", "s.p", "*pp", "**ppp", "*s.pp"];
const DOUBLES: &[&str] = &["pp", "*ppp", "s.pp", "qq"];
const PLACES: &[&str] = &["p", "q", "t[0]", "t[1]", "s.p"];

pub(crate) fn generate(random: &mut Random) -> Program {
    let mut program = Program::new(random);
    program.global(
        "struct s { int v; int *p; int **pp; };
int x, y, a[3], *q = &x;
static void set(int **to, int *what) { *to = what; }
static void swap(int **a, int **b) { int *t = *a; *a = *b; *b = t; }
static int **choose(int c, int **a, int **b) { if (c) return a; return b; }
static int *follow(int ***p) { return **p; }",
    );
    program.line("static int *t[2]; int z = 1, *p = &z, **pp = &p, **qq = &q, ***ppp = &pp; struct s s = { 2, &y, &t[0] };");
    program.line("t[0] = &a[0]; t[1] = &s.v;");
    for _ in 0..4 + random.below(6) {
        let statement = statement(&mut program, random);
        if random.chance(25) {
            let choice = program.choice(random);
            program.line(&format!("if ({choice}) {{ {statement} }}"));
        } else if random.chance(15) {
            program.line(&format!("for (int k = 0; k < 3; k++) {{ {statement} *p += k; }}"));
        } else {
            program.line(&statement);
        }
    }
    for integer in INTEGERS {
        program.observe(integer);
    }
    for _ in 0..3 {
        let (pointer, integer) = (random.pick(POINTERS), random.pick(INTEGERS));
        program.observe(&format!("{pointer} == &{integer}"));
        program.observe(&format!("*{}", random.pick(POINTERS)));
    }
    program
}

fn statement(program: &mut Program, random: &mut Random) -> String {
    let number = random.below(9) + 1;
    let (pointer, other) = (random.pick(POINTERS), random.pick(POINTERS));
    let (double, place) = (random.pick(DOUBLES), random.pick(PLACES));
    match random.below(12) {
        0 | 1 => format!("*{pointer} = {number};"),
        2 => format!("**{double} += {number};"),
        3 | 4 => format!("{pointer} = &{};", random.pick(INTEGERS)),
        5 => format!("{double} = &{place};"),
        6 => format!("set({double}, {pointer});"),
        7 => format!("swap({double}, &{place});"),
        8 => {
            let choice = program.choice(random);
            format!("{pointer} = {choice} ? {other} : &{};", random.pick(INTEGERS))
        }
        9 => {
            let choice = program.choice(random);
            format!("{double} = choose({choice}, {}, &{place});", random.pick(DOUBLES))
        }
        10 => format!("*follow(&{double}) ^= {number};"),
        _ => format!("***{} -= *{pointer};", random.pick(&["ppp", "&qq", "&s.pp"])),
    }
}
