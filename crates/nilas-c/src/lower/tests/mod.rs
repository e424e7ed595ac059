//! Programs as text, lowered and run by the interpreter.
#![allow(clippy::unwrap_used)]

mod abstracted;
mod against_gcc;
mod aims;
mod floats;
mod generate;
mod language;
mod library;
mod math;
mod models;
mod order;
mod parts;
mod programs;
mod shared;
mod undefined;

use super::{LowerOptions, Lowered, lower};
use crate::types::DataModel;
use crate::{Input, Options, parse_program};
use nilas_program::{Graph, Interpreter, Step};
use nilas_term::Value;

/// How an execution ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Outcome {
    /// At the error.
    Error,
    /// Where nothing leads on: the end of `main`, or undefined behaviour.
    End,
    /// At something that is not modelled.
    Unmodelled(String),
    /// Not within the steps that a test may take.
    Running,
}

/// Parses and lowers; the automaton must be well-formed.
pub(super) fn lowered(text: &str, model: DataModel) -> Lowered {
    lowered_with(text, model, &LowerOptions::default())
}

/// The same with options.
pub(super) fn lowered_with(text: &str, model: DataModel, options: &LowerOptions) -> Lowered {
    let input = Input::Text { name: "test.c".to_owned(), text: text.as_bytes().to_vec() };
    let tree = match parse_program(&input, &Options { model, ..Options::default() }) {
        Ok(tree) => tree,
        Err(failure) => panic!("{}\n{text}", failure.render()),
    };
    let lowered = lower(&tree, options).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    if let Err(errors) = nilas_program::wellformed::check(&lowered.program) {
        panic!("{}\n{text}", errors[0].message);
    }
    lowered
}

/// Runs an automaton; havocs take the values of `inputs` in turn (0 when there are no more). The end, and the
/// values of the variables with their names.
pub(super) fn run(lowered: &Lowered, inputs: &[u64]) -> (Outcome, Vec<(String, Value)>) {
    let automaton = &lowered.program.automaton;
    let graph = Graph::new(automaton);
    let store = automaton.variables.iter().map(|variable| Value::default_of(&variable.sort)).collect();
    let mut interpreter = Interpreter::new(&lowered.program.arena, automaton, store).unwrap();
    let mut here = automaton.entry;
    let mut outcome = Outcome::Running;
    let mut inputs = inputs.iter();
    let mut chooser = |site: nilas_program::HavocSite, _: usize| {
        let sort = &automaton.variable(automaton.havoc(site).variable).sort;
        match sort {
            // Only inputs are chosen: temporaries of calls.
            nilas_term::Sort::BitVec(width)
                if automaton.variable(automaton.havoc(site).variable).name.contains("::%tmp") =>
            {
                let value = inputs.next().copied().unwrap_or(0);
                Value::BitVec(nilas_term::BitVec::new(*width, value))
            }
            _ => Value::default_of(sort),
        }
    };
    for _ in 0..200_000 {
        if here == automaton.error {
            outcome = Outcome::Error;
            break;
        }
        let mut taken = None;
        for &edge in graph.outgoing(here) {
            if let Step::Taken(_) = interpreter.step(edge, &mut chooser).unwrap() {
                taken = Some(edge);
                break;
            }
        }
        let Some(edge) = taken else {
            outcome = Outcome::End;
            break;
        };
        here = automaton.edge(edge).target;
        if Some(here) == automaton.unmodelled {
            let place = lowered.places.iter().find(|place| place.edge == edge).unwrap();
            outcome = Outcome::Unmodelled(place.construct.clone());
            break;
        }
    }
    let values = automaton.variables.iter().zip(interpreter.store());
    (outcome, values.map(|(variable, value)| (variable.name.clone(), value.clone())).collect())
}

/// The program ends in the given way, in both data models.
pub(super) fn check(text: &str, expected: &Outcome) {
    check_with(text, &[], expected);
}

/// The same with inputs.
pub(super) fn check_with(text: &str, inputs: &[u64], expected: &Outcome) {
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let lowered = lowered(text, model);
        let (outcome, values) = run(&lowered, inputs);
        let shown = nilas_program::print_program(&lowered.program);
        assert_eq!(outcome, *expected, "{model:?}\n{text}\n{values:?}\n{shown}");
    }
}

/// Whether some values of the havocs lead to the error, in both data models. Values are tried from a few, at
/// most `TRIES` times, by a generator of random numbers; no execution may meet something that is not
/// modelled.
pub(super) fn check_every(text: &str, error: bool) {
    const TRIES: usize = 2000;
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let lowered = lowered(text, model);
        let mut reached = false;
        for seed in 0..TRIES {
            match random_run(&lowered, seed as u64) {
                Outcome::Error => reached = true,
                Outcome::Unmodelled(construct) => panic!("{model:?}: unmodelled: {construct}\n{text}"),
                Outcome::End | Outcome::Running => {}
            }
            if reached {
                break;
            }
        }
        let shown = nilas_program::print_program(&lowered.program);
        assert_eq!(reached, error, "{model:?}\n{text}\n{shown}");
    }
}

/// An execution with random small values.
fn random_run(lowered: &Lowered, seed: u64) -> Outcome {
    let automaton = &lowered.program.automaton;
    let graph = Graph::new(automaton);
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state >> 11
    };
    const OFTEN: [u64; 9] = [0, 1, 7, 9, 3, 120, 200_000, 0xffff_ffff_8000_1000, 0x8888_8888_8888_8888];
    let mut value = move |sort: &nilas_term::Sort| match sort {
        nilas_term::Sort::BitVec(width) if *width <= 64 => {
            let chosen = OFTEN[(random() % 9) as usize];
            let chosen = if *width == 32 && chosen >> 32 != 0 { chosen & 0xffff_ffff } else { chosen };
            Value::BitVec(nilas_term::BitVec::new(*width, chosen))
        }
        nilas_term::Sort::Bool => Value::Bool(random() % 2 == 1),
        nilas_term::Sort::Array(sort) => {
            let element = match &sort.element {
                nilas_term::Sort::BitVec(width) if *width <= 64 => {
                    let chosen = OFTEN[(random() % 9) as usize] & (u64::MAX >> (64 - width.min(&64)));
                    Value::BitVec(nilas_term::BitVec::new(*width, chosen))
                }
                other => Value::default_of(other),
            };
            let array =
                nilas_term::ArrayValue::new((**sort).clone(), element, std::collections::BTreeMap::new());
            Value::Array(std::sync::Arc::new(array))
        }
        other => Value::default_of(other),
    };
    let store = automaton.variables.iter().map(|variable| value(&variable.sort)).collect();
    let mut interpreter = Interpreter::new(&lowered.program.arena, automaton, store).unwrap();
    let mut chooser = |site: nilas_program::HavocSite, _: usize| {
        value(&automaton.variable(automaton.havoc(site).variable).sort)
    };
    let mut here = automaton.entry;
    for _ in 0..5_000 {
        if here == automaton.error {
            return Outcome::Error;
        }
        // The choices of an edge must not be made again for the next one: assumptions come first on forks.
        let taken = graph
            .outgoing(here)
            .iter()
            .find(|&&edge| matches!(interpreter.step(edge, &mut chooser), Ok(Step::Taken(_))));
        let Some(&edge) = taken else { return Outcome::End };
        here = automaton.edge(edge).target;
        if Some(here) == automaton.unmodelled {
            let place = lowered.places.iter().find(|place| place.edge == edge).unwrap();
            return Outcome::Unmodelled(place.construct.clone());
        }
    }
    Outcome::Running
}
