//! Encodings and the interpreter against explicit enumeration.

use crate::explicit::{Store, assignments, outcomes, paths, stores};
use nilas_program::random::{self, Rng, Shape};
use nilas_program::{
    ArcId, Basic, HavocSite, Interpreter, Program, State, Step, encode, print_program, transition_formula,
};
use nilas_term::{EvalError, Evaluator, Model, Sort, Value};
use std::collections::{BTreeMap, BTreeSet};

const SMALL: Shape =
    Shape { variables: 2, width: 2, locations: 0, edges: 0, command_depth: 2, term_depth: 2 };

fn model_of(program: &Program, store: &Store) -> Model {
    program
        .automaton
        .variables
        .iter()
        .zip(store)
        .map(|(variable, value)| (variable.term, value.clone()))
        .collect()
}

#[test]
fn guard_and_next_state_are_the_executions() {
    let (mut checked, mut merged) = (0, 0);
    for seed in 0..1500 {
        let mut program = random::single_command(&mut Rng::new(seed), &SMALL);
        let before = print_program(&program);
        let command = program.automaton.edges[0].command.clone();
        let start = State::initial(&program.automaton);
        let condition = program.arena.mk_true();
        let encoding = encode(&mut program.arena, &program.automaton, &command, &start, condition);
        let sorts: Vec<Sort> =
            encoding.inputs.iter().map(|input| program.arena.sort(input.variable).clone()).collect();
        let bits: u32 = sorts.iter().map(|sort| sort.width().unwrap_or(1)).sum();
        if bits > 8 {
            continue;
        }
        checked += 1;
        merged += usize::from(command.joins().contains(&true));
        for store in stores(&program.automaton) {
            let mut found: BTreeSet<Store> = BTreeSet::new();
            for inputs in assignments(&sorts) {
                let mut model = model_of(&program, &store);
                for (input, value) in encoding.inputs.iter().zip(&inputs) {
                    model.set(input.variable, value.clone());
                }
                let mut evaluator = Evaluator::new(model.clone());
                if !evaluator.holds(&program.arena, encoding.guard).unwrap() {
                    continue;
                }
                let next: Store = program
                    .automaton
                    .variable_ids()
                    .map(|variable| evaluator.eval(&program.arena, encoding.next.get(variable)).unwrap())
                    .collect();
                // The path that the model picks leads there, with the inputs as values of the havocs.
                let mut holds = |term| evaluator.holds(&program.arena, term);
                let path: Vec<ArcId> = encoding.path::<EvalError>(&command, &mut holds).unwrap();
                let chosen: BTreeMap<HavocSite, Value> = path
                    .iter()
                    .filter_map(|&arc| match command.arc(arc).basic {
                        Basic::Havoc(_, site) => {
                            let input = encoding.havoc_input(arc).unwrap();
                            Some((site, model.get(input).unwrap().clone()))
                        }
                        _ => None,
                    })
                    .collect();
                let mut interpreter =
                    Interpreter::new(&program.arena, &program.automaton, store.clone()).unwrap();
                let step = interpreter.follow(&command, &path, &mut |site, _| chosen[&site].clone()).unwrap();
                assert_eq!(step, Step::Taken(path), "seed {seed}, {store:?}, {inputs:?}\n{before}");
                assert_eq!(interpreter.store(), &next[..], "seed {seed}, {store:?}, {inputs:?}\n{before}");
                found.insert(next);
            }
            let expected = outcomes(&program, &command, &store);
            assert_eq!(found, expected, "seed {seed}, from {store:?}\n{before}");
        }
    }
    assert!(checked > 700 && merged > 250, "{checked} commands checked, {merged} with joins");
}

#[test]
fn the_transition_formula_relates_the_same_states() {
    for seed in 0..150 {
        let mut program = random::single_command(&mut Rng::new(seed), &Shape { command_depth: 1, ..SMALL });
        let before = print_program(&program);
        let edge = program.automaton.edge_ids().next().unwrap();
        let formula = transition_formula(&mut program.arena, &program.automaton, edge);
        let primed: Vec<_> = program.automaton.variables.iter().map(|variable| variable.term).collect();
        let primed: Vec<_> = primed.into_iter().map(|term| program.arena.prime(term)).collect();
        let own: Vec<_> = program.automaton.variables.iter().map(|variable| variable.term).collect();
        let free = program.arena.free_variables(formula);
        let inputs: Vec<_> =
            free.into_iter().filter(|term| !own.contains(term) && !primed.contains(term)).collect();
        let sorts: Vec<Sort> = inputs.iter().map(|&input| program.arena.sort(input).clone()).collect();
        if sorts.iter().map(|sort| sort.width().unwrap_or(1)).sum::<u32>() > 4 {
            continue;
        }
        for store in stores(&program.automaton) {
            let expected = outcomes(&program, &program.automaton.edges[0].command, &store);
            for next in stores(&program.automaton) {
                let related = assignments(&sorts).iter().any(|values| {
                    let mut model = model_of(&program, &store);
                    primed.iter().zip(&next).for_each(|(&term, value)| model.set(term, value.clone()));
                    inputs.iter().zip(values).for_each(|(&term, value)| model.set(term, value.clone()));
                    Evaluator::new(model).holds(&program.arena, formula).unwrap()
                });
                assert_eq!(related, expected.contains(&next), "seed {seed}: {store:?} to {next:?}\n{before}");
            }
        }
    }
}

/// The interpreter finds a way exactly if there is one with the values that it is given.
#[test]
fn the_interpreter_finds_its_way() {
    let (mut taken, mut blocked) = (0, 0);
    for seed in 0..1500 {
        let mut rng = Rng::new(seed);
        let program = random::single_command(&mut rng, &SMALL);
        let automaton = &program.automaton;
        let command = &automaton.edges[0].command;
        let chosen: Vec<Value> = automaton
            .havocs
            .iter()
            .map(|havoc| random::value(&mut rng, &automaton.variable(havoc.variable).sort))
            .collect();
        let mut choose = |site: HavocSite, occurrence: usize| {
            assert_eq!(occurrence, 0, "a site is executed once in a command");
            chosen[site.index()].clone()
        };
        for store in stores(automaton) {
            let mut interpreter = Interpreter::new(&program.arena, automaton, store.clone()).unwrap();
            let step = interpreter.step(automaton.edge_ids().next().unwrap(), &mut choose).unwrap();
            let ways: BTreeSet<Store> = paths(command)
                .iter()
                .filter_map(|path| {
                    let mut other = Interpreter::new(&program.arena, automaton, store.clone()).unwrap();
                    let step = other.follow(command, path, &mut choose).unwrap();
                    (step != Step::Blocked).then(|| other.store().to_vec())
                })
                .collect();
            let text = || format!("seed {seed}, from {store:?}\n{}", print_program(&program));
            match step {
                Step::Taken(_) => {
                    taken += 1;
                    assert!(ways.contains(interpreter.store()), "{}", text());
                }
                Step::Blocked => {
                    blocked += 1;
                    assert!(ways.is_empty(), "{}", text());
                    assert_eq!(interpreter.store(), &store[..], "{}", text());
                    for index in 0..automaton.havocs.len() {
                        assert_eq!(interpreter.occurrences(HavocSite::new(index)), 0, "{}", text());
                    }
                }
            }
        }
    }
    assert!(taken > 1000 && blocked > 1000, "{taken} taken, {blocked} blocked");
}
