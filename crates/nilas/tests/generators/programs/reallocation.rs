//! `realloc` that grows and shrinks blocks: what lies within both sizes is kept. Only elements with known
//! values are read.

use crate::kit::program::Program;
use crate::kit::random::Random;
use std::collections::BTreeSet;

struct Block {
    name: &'static str,
    length: usize,
    known: BTreeSet<usize>,
}

pub(crate) fn generate(random: &mut Random) -> Program {
    let mut program = Program::new(random);
    program.header("stdlib.h");
    let (ty, field) = *random.pick(&[
        ("int", ""),
        ("char", ""),
        ("long", ""),
        ("struct item { int key; short value; }", ".value"),
        ("struct item { char c[3]; int key; }", ".key"),
    ]);
    program.global(&format!(
        "typedef {ty} item;
static void *grow(void *p, size_t n) {{ void *q = realloc(p, n); if (!q) exit(1); return q; }}"
    ));
    let mut blocks: Vec<Block> =
        ["a", "b"].into_iter().map(|name| Block { name, length: 0, known: BTreeSet::new() }).collect();
    program.line("item *a = 0, *b = 0;");
    for _ in 0..5 + random.below(6) {
        let which = random.below(2);
        let Block { name, length, known } = &mut blocks[which];
        if *length == 0 || random.chance(35) {
            resize(&mut program, random, name, length, known);
        } else if random.chance(70) || known.is_empty() {
            let place = random.below(*length);
            let choice = program.choice(random);
            program.line(&format!("{name}[{place}]{field} = {} + ({choice});", random.below(50)));
            known.insert(place);
        } else {
            let places: Vec<usize> = known.iter().copied().collect();
            program.observe(&format!("{name}[{}]{field}", random.pick(&places)));
        }
    }
    for Block { name, known, .. } in &blocks {
        for place in known.iter().take(4) {
            program.observe(&format!("{name}[{place}]{field}"));
        }
    }
    if random.chance(50) {
        program.line("free(a); free(b);");
    }
    program.observe("1");
    program
}

fn resize(
    program: &mut Program,
    random: &mut Random,
    name: &str,
    length: &mut usize,
    known: &mut BTreeSet<usize>,
) {
    let most = if random.chance(20) { 60 } else { 6 };
    let next = 1 + random.below(most);
    if *length == 0 && random.chance(40) {
        program.line(&format!("{name} = calloc({next}, sizeof(item)); if (!{name}) return 0;"));
        known.extend(0..next.min(3));
    } else {
        match random.below(3) {
            0 => program.line(&format!("{name} = grow({name}, {next} * sizeof(item));")),
            1 => program
                .line(&format!("{name} = realloc({name}, {next} * sizeof(item)); if (!{name}) return 0;")),
            _ => {
                let choice = program.choice(random);
                program.line(&format!("{name} = grow({name}, ({next} + !!({choice})) * sizeof(item));"));
            }
        }
        known.retain(|&place| place < next);
    }
    *length = next;
}
