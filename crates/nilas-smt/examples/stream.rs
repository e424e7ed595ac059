//! Microseconds per assumption query of the embedded solver, on a stream as IC3 makes it.
//!
//! The system is `x' = ite(c, x+y, x^(y<<1)), y' = y+1, z' = ite(x<y, z+x, z-1)` over 32 bits, from
//! `x = y = z = 0`. Each query asks whether a cube of 2 to 8 literals has a predecessor in a frame that is not in the
//! cube itself: assumptions are the cube's literals over next-state terms, the frame's lemmas stand
//! under level activations, and the negation of the cube under an activation that is retired after the
//! query. Unsat queries add the clause of their failed literals as a lemma; sat queries are answered
//! with cubes around the predecessor.
//!
//! Times are processor times where Linux tells them, so that other work on the machine counts little. The stream is made once and recorded, then replayed on each SAT solver, so that all answer the same
//! queries; answers must agree.
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
use nilas_smt::{Activation, Answer, Budget, Embedded, Solver};
use record::{Event, Stream};
use std::time::Duration;
use system::System;

/// Time per kind of call, and what came of it.
#[derive(Default)]
struct Measured {
    check: Duration,
    assert: Duration,
    read: Duration,
    queries: u64,
    sat: u64,
}

fn replay<S: SatSolver + Default + 'static>(name: &str, stream: &Stream) {
    let mut system = System::new();
    let mut solver = Embedded::<S>::new();
    let levels: Vec<Activation> = (0..=record::LEVELS).map(|_| solver.activation()).collect();
    for init in system.init() {
        solver.assert_under(&system.arena, levels[0], init);
    }
    let mut measured = Measured::default();
    let clock = Clock::new();
    for event in &stream.events {
        match event {
            Event::Lemma { level, cube } => {
                let clause = system.blocked(cube);
                let start = clock.now();
                solver.assert_under(&system.arena, levels[*level], clause);
                measured.assert += clock.since(start);
            }
            Event::Query { level, cube, sat } => {
                let clause = system.blocked(cube);
                let assumptions: Vec<_> = cube.iter().map(|&literal| system.next(literal)).collect();
                let start = clock.now();
                let activation = solver.activation();
                solver.assert_under(&system.arena, activation, clause);
                measured.assert += clock.since(start);
                let mut named = record::frame(&levels, *level);
                named.push(activation);
                let start = clock.now();
                let answer = solver.check(&system.arena, &named, &assumptions, &Budget::unlimited());
                measured.check += clock.since(start);
                assert_eq!(answer == Answer::Sat, *sat, "{name}: {answer:?} on query {}", measured.queries);
                let start = clock.now();
                if *sat {
                    for variable in system.variables() {
                        solver.value(&system.arena, variable).unwrap();
                    }
                } else {
                    assert!(solver.failed().len() <= assumptions.len());
                }
                measured.read += clock.since(start);
                let start = clock.now();
                solver.retire(activation);
                measured.assert += clock.since(start);
                measured.queries += 1;
                measured.sat += u64::from(*sat);
            }
        }
    }
    report(name, &measured, &solver.stats());
}

#[allow(clippy::cast_precision_loss)]
fn report(name: &str, measured: &Measured, stats: &nilas_smt::SolverStats) {
    let micros = |time: Duration| time.as_secs_f64() * 1e6 / measured.queries as f64;
    println!(
        "{{\"solver\":\"{name}\",\"queries\":{},\"sat\":{},\"unsat\":{},\"check_us\":{:.2},\"assert_us\":{:.2},\
         \"read_us\":{:.2},\"variables\":{},\"clauses\":{},\"rebuilds\":{},\"conflicts\":{},\"decisions\":{}}}",
        measured.queries,
        measured.sat,
        measured.queries - measured.sat,
        micros(measured.check),
        micros(measured.assert),
        micros(measured.read),
        stats.variables,
        stats.clauses,
        stats.rebuilds,
        stats.sat_solver.conflicts,
        stats.sat_solver.decisions,
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
