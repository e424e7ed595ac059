//! All passes: sinks are reached as before, and paths go back.

use crate::explicit::reachable;
use nilas_program::random::{self, Rng, Shape};
use nilas_program::{Program, Vanished, print_program, simplify, wellformed};
use nilas_term::Budget;

const SHAPES: [Shape; 2] = [
    Shape { variables: 2, width: 2, locations: 5, edges: 9, command_depth: 1, term_depth: 1 },
    Shape { variables: 3, width: 1, locations: 7, edges: 12, command_depth: 1, term_depth: 2 },
];

fn sinks(program: &Program) -> Vec<bool> {
    let reached = reachable(program);
    program.automaton.sinks().map(|sink| reached.contains_key(&sink)).collect()
}

#[test]
fn the_same_sinks_are_reached() {
    let (mut smaller, mut facts, mut dead, mut harmless) = (0, 0, 0, 0);
    for seed in 0..3000 {
        let shape = SHAPES[usize::from(seed % 2 == 1)];
        let program = random::program(&mut Rng::new(seed), &shape);
        let simplified = simplify(&program, &Budget::unlimited()).unwrap();
        let small = &simplified.program;
        let text = format!("seed {seed}\n{}\n--\n{}", print_program(&program), print_program(small));
        assert_eq!(wellformed::check(small), Ok(()), "{text}");
        assert_eq!(sinks(&program), sinks(small), "{text}");
        smaller += usize::from(small.automaton.locations.len() < program.automaton.locations.len());
        facts += simplified.back.facts().count();
        dead += simplified.back.vanished().filter(|(_, why)| *why == Vanished::Unreachable).count();
        harmless += simplified.back.vanished().filter(|(_, why)| *why == Vanished::Harmless).count();
    }
    assert!(
        smaller > 1000 && facts > 20 && dead > 20 && harmless > 20,
        "{smaller} smaller, {facts} facts, {dead} unreachable and {harmless} harmless cycles"
    );
}
