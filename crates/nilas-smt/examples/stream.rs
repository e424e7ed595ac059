//! Microseconds per assumption query of the embedded solver, on a stream as IC3 makes it.
//!
//! The system is `x' = ite(c, x+y, x^(y<<1)), y' = y+1, z' = ite(x<y, z+x, z-1)` over 32 bits, from
//! `x = y = z = 0`. Each query asks whether a cube of 2 to 8 literals has a predecessor in a frame that is
//! not in the cube itself: assumptions are the cube's literals over next-state terms, the frame's lemmas
//! stand under level activations, and the negation of the cube under an activation that is retired after the
//! query. Unsat queries add the clause of their failed literals as a lemma; sat queries are answered
//! with cubes around the predecessor.
//!
//! The stream is made once and recorded, then replayed on each SAT solver a few times, so that all answer the
//! same queries; answers must agree. The terms of a replay are made before the clock starts; `terms_us` tells
//! what that took. `check_us` has all calls of the solver in it: making an activation, asserting, checking
//! with all encoding, reading the model of the four variables or the core, retiring. It is processor time
//! where Linux tells it, read once for a whole replay (reading it takes several microseconds), and the best
//! replay counts.
//!
//! `cargo run --release -p nilas-smt --example stream -- [--queries N] [--record FILE] [--script FILE]`
//! prints a table, and one line of JSON per solver. `--record` writes the queries in the format that
//! `benchmarks/stream_z3.py` reads, `--script` as an incremental SMT-LIB script.

#![allow(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used, unreachable_pub, missing_docs)]

#[path = "stream/clock.rs"]
mod clock;
#[path = "stream/record.rs"]
mod record;
#[path = "stream/system.rs"]
mod system;

use clock::Clock;
use nilas_smt::sat::{Batsat, Cadical, Cdcl, SatSolver};
use nilas_smt::{Activation, Answer, Budget, Embedded, Solver, SolverStats};
use nilas_term::Term;
use record::{Event, Stream};
use std::time::Duration;
use system::System;

/// Replays of which the best counts.
const ROUNDS: usize = 3;

/// An event with its terms.
enum Call {
    Lemma { level: usize, clause: Term },
    Query { level: usize, clause: Term, assumptions: Vec<Term>, sat: bool },
}

/// Time, and what came of it.
#[derive(Default)]
struct Measured {
    check: Duration,
    terms: Duration,
    queries: u64,
    sat: u64,
}

fn calls(system: &mut System, stream: &Stream) -> Vec<Call> {
    let call = |event: &Event| match event {
        Event::Lemma { level, cube } => Call::Lemma { level: *level, clause: system.blocked(cube) },
        Event::Query { level, cube, sat } => {
            let clause = system.blocked(cube);
            let assumptions = cube.iter().map(|&literal| system.next(literal)).collect();
            Call::Query { level: *level, clause, assumptions, sat: *sat }
        }
    };
    stream.events.iter().map(call).collect()
}

fn replay<S: SatSolver + Default + 'static>(name: &str, stream: &Stream) {
    let rounds = (0..ROUNDS).map(|_| round::<S>(name, stream));
    let (measured, stats) = rounds.min_by_key(|(measured, _)| measured.check).unwrap();
    report(name, &measured, &stats);
}

fn round<S: SatSolver + Default + 'static>(name: &str, stream: &Stream) -> (Measured, SolverStats) {
    let mut system = System::new();
    let mut measured = Measured::default();
    let clock = Clock::new();
    let start = clock.now();
    let calls = calls(&mut system, stream);
    measured.terms = clock.since(start);
    let mut solver = Embedded::<S>::new();
    let levels: Vec<Activation> = (0..=record::LEVELS).map(|_| solver.activation()).collect();
    for init in system.init() {
        solver.assert_under(&system.arena, levels[0], init);
    }
    let start = clock.now();
    for call in &calls {
        match call {
            Call::Lemma { level, clause } => solver.assert_under(&system.arena, levels[*level], *clause),
            Call::Query { level, clause, assumptions, sat } => {
                let activation = solver.activation();
                solver.assert_under(&system.arena, activation, *clause);
                let mut named = record::frame(&levels, *level);
                named.push(activation);
                let answer = solver.check(&system.arena, &named, assumptions, &Budget::unlimited());
                assert_eq!(answer == Answer::Sat, *sat, "{name}: {answer:?} on query {}", measured.queries);
                if *sat {
                    for variable in system.variables() {
                        solver.value(&system.arena, variable).unwrap();
                    }
                } else {
                    assert!(solver.failed().len() <= assumptions.len());
                }
                solver.retire(activation);
                measured.queries += 1;
                measured.sat += u64::from(*sat);
            }
        }
    }
    measured.check = clock.since(start);
    (measured, solver.stats())
}

#[allow(clippy::cast_precision_loss)]
fn report(name: &str, measured: &Measured, stats: &SolverStats) {
    let micros = |time: Duration| time.as_secs_f64() * 1e6 / measured.queries as f64;
    println!(
        "{{\"solver\":\"{name}\",\"queries\":{},\"sat\":{},\"unsat\":{},\"check_us\":{:.2},\"terms_us\":{:.2},\
         \"variables\":{},\"clauses\":{},\"rebuilds\":{},\"conflicts\":{},\"decisions\":{},\
         \"propagations\":{}}}",
        measured.queries,
        measured.sat,
        measured.queries - measured.sat,
        micros(measured.check),
        micros(measured.terms),
        stats.variables,
        stats.clauses,
        stats.rebuilds,
        stats.sat_solver.conflicts,
        stats.sat_solver.decisions,
        stats.sat_solver.propagations,
    );
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let (mut queries, mut record_to, mut script_to, mut only) = (20_000, None, None, None);
    while let Some(argument) = arguments.next() {
        let value = arguments.next();
        match (argument.as_str(), value) {
            ("--queries", Some(value)) => queries = value.parse().unwrap(),
            ("--record", Some(file)) => record_to = Some(file),
            ("--script", Some(file)) => script_to = Some(file),
            ("--only", Some(name)) => only = Some(name),
            _ => {
                eprintln!("usage: stream [--queries N] [--record FILE] [--script FILE] [--only SOLVER]");
                std::process::exit(1);
            }
        }
    }
    let stream = record::make(queries);
    if let Some(file) = record_to {
        std::fs::write(file, stream.record()).unwrap();
    }
    if let Some(file) = script_to {
        std::fs::write(file, stream.script()).unwrap();
    }
    let wanted = |name: &str| only.as_deref().is_none_or(|only| only == name);
    if wanted("cadical") {
        replay::<Cadical>("cadical", &stream);
    }
    if wanted("cdcl") {
        replay::<Cdcl>("cdcl", &stream);
    }
    if wanted("batsat") {
        replay::<Batsat>("batsat", &stream);
    }
}
