//! The examples: they parse, survive printing and large blocks, and a search over chosen values does not
//! contradict their first lines.

use crate::explicit::{Store, outcomes_with};
use crate::round_trip::assert_round_trip;
use nilas_program::procedures::{FlattenOptions, flatten};
use nilas_program::text::expectation;
use nilas_program::{Basic, LocationId, Program, large_blocks, parse_module, to_dot};
use nilas_term::{BitVec, Budget, Sort, Term, Value};
use std::collections::{BTreeSet, VecDeque};
use std::path::PathBuf;

/// Name and text of each example.
pub(crate) fn examples() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut found: Vec<(String, String)> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "cfa"))
        .map(|path| (path.display().to_string(), std::fs::read_to_string(&path).unwrap()))
        .collect();
    found.sort();
    assert!(found.len() >= 20, "examples in {}", folder.display());
    found
}

/// The automaton of an example, with bodies in the place of calls.
fn automaton(name: &str, text: &str) -> Program {
    let module = parse_module(text).unwrap_or_else(|errors| {
        panic!("{}", errors.iter().map(|e| e.render(name, text)).collect::<String>())
    });
    let options = FlattenOptions { recursion: 8, ..FlattenOptions::default() };
    flatten(module, &options, &Budget::unlimited()).unwrap().targets.program
}

#[test]
fn parse_and_print() {
    for (name, text) in examples() {
        let program = automaton(&name, &text);
        assert_round_trip(&program, &name);
        assert_round_trip(&large_blocks(&program).0, &name);
        assert!(to_dot(&program).starts_with("digraph"), "{name}");
    }
}

#[test]
fn first_lines_say_what_to_expect() {
    for (name, text) in examples() {
        let verdict = expectation(&text, None);
        assert!(matches!(verdict, Some("safe" | "unsafe" | "unknown")), "{name}: {verdict:?}");
        assert!(text.starts_with("// expect:"), "{name}");
        for engine in ["bmc", "ic3cfa"] {
            // An engine may give up on an example, but not contradict it.
            let own = expectation(&text, Some(engine));
            assert!(own == verdict || own == Some("unknown"), "{name}: {engine} {own:?}");
        }
    }
}

#[test]
fn large_blocks_keep_places_and_origins() {
    for (name, text) in examples() {
        let program = automaton(&name, &text);
        let (blocks, _) = large_blocks(&program);
        for arc in blocks.automaton.edges.iter().flat_map(|edge| edge.command.arcs()) {
            let origin = arc.origin.unwrap_or_else(|| panic!("{name}: {arc:?} has no origin"));
            let edge = program.automaton.edge(origin.edge);
            match origin.arc {
                Some(id) => {
                    let old = edge.command.arc(id);
                    assert_eq!((arc.basic, arc.span), (old.basic, old.span), "{name}");
                    assert!(arc.span.end > arc.span.start, "{name}: {arc:?} has no place");
                }
                None => assert_eq!((arc.basic, arc.span), (Basic::Skip, edge.span), "{name}"),
            }
        }
    }
}

/// The numbers of a program and their neighbours, as values of a sort.
fn candidates(program: &Program, sort: &Sort) -> Vec<Value> {
    let Sort::BitVec(width) = *sort else { return vec![Value::Bool(false), Value::Bool(true)] };
    let mut found: BTreeSet<u64> = [0, 1, 7].into();
    let arena = &program.arena;
    let arcs = program.automaton.edges.iter().flat_map(|edge| edge.command.arcs());
    let mut stack: Vec<Term> = arcs
        .filter_map(|arc| match arc.basic {
            Basic::Assume(term) | Basic::Assign(_, term) => Some(term),
            _ => None,
        })
        .collect();
    while let Some(term) = stack.pop() {
        if let Some(number) = arena.as_bitvec(term).and_then(BitVec::to_u64) {
            found.extend([number, number.wrapping_add(1), number.wrapping_sub(1)]);
        }
        stack.extend_from_slice(arena.children(term));
    }
    let least = BitVec::min_signed(width);
    let most = BitVec::max_signed(width);
    let numbers = found.into_iter().map(|number| BitVec::new(width, number));
    let all: BTreeSet<Value> = numbers.chain([least, most]).map(Value::BitVec).collect();
    all.into_iter().collect()
}

/// The sinks that a breadth-first search over some states gets to.
fn search(program: &Program) -> BTreeSet<LocationId> {
    const MOST: usize = 10_000;
    let automaton = &program.automaton;
    let of = |sort: &Sort| candidates(program, sort);
    let mut starts: Vec<Store> = vec![Vec::new()];
    for variable in &automaton.variables {
        let values = of(&variable.sort);
        starts = starts
            .iter()
            .flat_map(|front| {
                values.iter().map(move |value| front.iter().cloned().chain([value.clone()]).collect())
            })
            .take(if automaton.variables.len() > 8 { 20 } else { MOST / 4 })
            .collect();
    }
    let mut queue: VecDeque<(LocationId, Store)> =
        starts.into_iter().map(|store| (automaton.entry, store)).collect();
    let mut seen: BTreeSet<(LocationId, Store)> = queue.iter().cloned().collect();
    let mut sinks = BTreeSet::new();
    while let Some((location, store)) = queue.pop_front() {
        if automaton.is_sink(location) {
            sinks.insert(location);
        }
        for edge in automaton.edges.iter().filter(|edge| edge.source == location) {
            for next in outcomes_with(program, &edge.command, &store, &of) {
                if seen.len() < MOST && seen.insert((edge.target, next.clone())) {
                    queue.push_back((edge.target, next));
                }
            }
        }
    }
    sinks
}

#[test]
fn verdicts_are_not_contradicted() {
    for (name, text) in examples() {
        let program = automaton(&name, &text);
        let sinks = search(&program);
        let error = sinks.contains(&program.automaton.error);
        let unmodelled = program.automaton.unmodelled.is_some_and(|location| sinks.contains(&location));
        match expectation(&text, None) {
            Some("safe") => assert!(!error && !unmodelled, "{name} is not safe"),
            Some("unsafe") => assert!(error, "{name}: the error is not found"),
            Some("unknown") => assert!(!error && unmodelled, "{name}: only unmodelled should be reached"),
            other => panic!("{name}: {other:?}"),
        }
    }
}
