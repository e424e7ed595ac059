//! Large blocks: same reachable states, and paths that go back.

use crate::explicit::reachable;
use nilas_program::random::{self, Rng, Shape};
use nilas_program::{
    EdgeId, Graph, HavocSite, Interpreter, Program, Step, cutset, large_blocks, print_program, wellformed,
};
use nilas_term::Value;
use std::collections::BTreeMap;

const SHAPE: Shape =
    Shape { variables: 2, width: 2, locations: 5, edges: 9, command_depth: 1, term_depth: 2 };

#[test]
fn the_same_states_are_reached() {
    let mut smaller = 0;
    for seed in 0..1500 {
        let program = random::program(&mut Rng::new(seed), &SHAPE);
        wellformed::check(&program).unwrap();
        let (blocks, back) = large_blocks(&program);
        let text = format!("seed {seed}\n{}\n--\n{}", print_program(&program), print_program(&blocks));
        assert_eq!(wellformed::check(&blocks), Ok(()), "{text}");
        let (old, new) = (reachable(&program), reachable(&blocks));
        for location in blocks.automaton.location_ids() {
            let original = back.location(location);
            assert_eq!(new.get(&location), old.get(&original), "at {location:?}\n{text}");
        }
        for (old, new) in [
            (program.automaton.error, blocks.automaton.error),
            (program.automaton.entry, blocks.automaton.entry),
        ] {
            assert_eq!(back.location(new), old, "{text}");
        }
        assert!(cutset(&blocks.automaton).len() <= blocks.automaton.locations.len());
        smaller += usize::from(blocks.automaton.locations.len() < program.automaton.locations.len());
    }
    assert!(smaller > 500, "only {smaller} became smaller");
}

/// Executions of the blocks are executions of the original.
fn replay(seed: u64, program: &Program, blocks: &Program, back: &nilas_program::BackMap) -> usize {
    let mut rng = Rng::new(seed);
    let graph = Graph::new(&blocks.automaton);
    let store: Vec<Value> =
        program.automaton.variables.iter().map(|variable| random::value(&mut rng, &variable.sort)).collect();
    let mut chosen: BTreeMap<(HavocSite, usize), Value> = BTreeMap::new();
    let mut new = Interpreter::new(&blocks.arena, &blocks.automaton, store.clone()).unwrap();
    let mut old = Interpreter::new(&program.arena, &program.automaton, store).unwrap();
    let (mut at, mut old_at) = (blocks.automaton.entry, program.automaton.entry);
    let mut steps = 0;
    for _ in 0..10 {
        let leaving = graph.outgoing(at);
        if leaving.is_empty() {
            break;
        }
        let edge: EdgeId = rng.pick(leaving);
        let mut choose = |site: HavocSite, occurrence: usize| {
            let sort = &program.automaton.variable(program.automaton.havoc(site).variable).sort;
            chosen.entry((site, occurrence)).or_insert_with(|| random::value(&mut rng, sort)).clone()
        };
        let Step::Taken(arcs) = new.step(edge, &mut choose).unwrap() else { continue };
        for (old_edge, old_arcs) in back.path(edge, &arcs, &blocks.automaton) {
            let original = program.automaton.edge(old_edge);
            assert_eq!(original.source, old_at, "seed {seed}: edges do not follow each other");
            let step = old.follow(&original.command, &old_arcs, &mut choose).unwrap();
            assert_eq!(step, Step::Taken(old_arcs), "seed {seed}");
            old_at = original.target;
        }
        at = blocks.automaton.edge(edge).target;
        assert_eq!(old_at, back.location(at), "seed {seed}");
        assert_eq!(old.store(), new.store(), "seed {seed}");
        steps += 1;
    }
    steps
}

#[test]
fn paths_go_back() {
    let mut steps = 0;
    for seed in 0..2000 {
        let program = random::program(&mut Rng::new(seed), &SHAPE);
        let (blocks, back) = large_blocks(&program);
        steps += replay(seed, &program, &blocks, &back);
        // Twice is once, and the maps compose.
        let (again, back_again) = large_blocks(&blocks);
        steps += replay(seed, &program, &again, &back.then(back_again));
    }
    assert!(steps > 3000, "only {steps} steps");
}
