//! Recorded query streams on the embedded solver and on the solvers on PATH, in one run.
//!
//! `cargo run --release -p nilas-smt --example replay -- [--timeout SECONDS] FILE.smt2…`
//!
//! The embedded solver gets the calls that were recorded, on each SAT solver in turn; the time is that of the calls, without
//! reading the script. Another solver gets them as a script in a file, with the least logic that has what it needs; its time is
//! that of the whole run less that of a run of the same script without its checks, which leaves out starting and
//! reading. (Work that it does lazily falls into its checks, as it does in ours.) All times are processor times. All answers must agree
//! with each other and with what was recorded. The table has the time per query, and how many times faster the best embedded
//! solver is than the fastest other; at the end is the geometric mean of that.

#![allow(clippy::print_stdout, clippy::print_stderr, clippy::unwrap_used, unreachable_pub, missing_docs)]

#[path = "replay/clock.rs"]
mod clock;
#[path = "replay/others.rs"]
mod others;

use clock::Clock;
use nilas_smt::pipe::{Found, discover};
use nilas_smt::record::{Step, Stream};
use nilas_smt::sat::{Batsat, Cadical, Cdcl, SatSolver};
use nilas_smt::{Answer, Budget, Embedded, Interrupt, Reason};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How a script went with a solver.
struct Run {
    name: String,
    answers: Vec<Option<bool>>,
    /// Time for all queries; `None` when it did not end in time, or not well.
    time: Option<Duration>,
    note: String,
}

fn embedded<S: SatSolver + Default + 'static>(name: &str, stream: &Stream, limit: Duration) -> Run {
    let mut answers = Vec::new();
    let mut note = String::new();
    let mut solver = Embedded::<S>::new();
    let deadline = Some(Instant::now() + limit);
    let clock = Clock::now();
    stream.play(&mut solver, &mut || Budget { deadline, ..Budget::default() }, &mut |_, _, answer| {
        match answer {
            Answer::Sat => answers.push(Some(true)),
            Answer::Unsat => answers.push(Some(false)),
            Answer::Unknown(why) => {
                answers.push(None);
                note = why.to_string();
                return *why != Reason::Interrupted(Interrupt::Timeout);
            }
        }
        true
    });
    let time = note.is_empty().then(|| clock.own().max(Duration::from_nanos(1)));
    Run { name: name.to_owned(), answers, time, note }
}

/// The first check on which two runs differ.
fn disagreement(runs: &[Run], stream: &Stream) -> Option<String> {
    let recorded: Vec<Option<bool>> = stream
        .steps
        .iter()
        .filter_map(|step| match step {
            Step::Check { expected, .. } => Some(*expected),
            _ => None,
        })
        .collect();
    let all = runs.iter().map(|run| (run.name.as_str(), &run.answers)).chain([("recorded", &recorded)]);
    let all: Vec<_> = all.collect();
    (0..stream.queries()).find_map(|check| {
        let says = |wanted: bool| all.iter().find(|(_, it)| it.get(check) == Some(&Some(wanted)));
        let (yes, no) = (says(true)?, says(false)?);
        Some(format!("query {}: {} says sat, {} unsat", check + 1, yes.0, no.0))
    })
}

fn geometric_mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp()
}

fn fastest(runs: &[Run]) -> Option<&Run> {
    runs.iter().filter(|run| run.time.is_some()).min_by_key(|run| run.time)
}

fn script(file: &str, limit: Duration, found: &[Found]) -> Result<Option<f64>, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let stream = Stream::read(&text).map_err(|error| format!("{file}: {error}"))?;
    let queries = stream.queries();
    let ours = vec![
        embedded::<Cdcl>("embedded/cdcl", &stream, limit),
        embedded::<Cadical>("embedded/cadical", &stream, limit),
        embedded::<Batsat>("embedded/batsat", &stream, limit),
    ];
    let features = stream.features();
    let able = found.iter().filter(|found| found.abilities.features.contains(features));
    let others: Vec<Run> = able.map(|found| others::run(found, &stream, limit)).collect();
    println!("{file}: {queries} queries, {} ({})", features.logic(), features);
    let best = fastest(&ours).and_then(|run| run.time);
    for run in ours.iter().chain(&others) {
        let time = run.time.map_or_else(
            || format!("no time ({})", run.note),
            |time| {
                let per_query = time.as_secs_f64() * 1e6 / queries.max(1) as f64;
                let ratio = best.map_or(f64::NAN, |best| time.as_secs_f64() / best.as_secs_f64());
                format!("{per_query:>12.1} µs per query {ratio:>8.2} times the best embedded")
            },
        );
        println!("  {:<18} {time}", run.name);
    }
    let ratio = match (best, fastest(&others)) {
        (Some(best), Some(other)) => {
            let time = other.time.unwrap_or_default().as_secs_f64();
            let ratio = time / best.as_secs_f64();
            println!("  fastest other: {}, ratio {ratio:.2}", other.name);
            Some(ratio)
        }
        _ => None,
    };
    let runs: Vec<Run> = ours.into_iter().chain(others).collect();
    match disagreement(&runs, &stream) {
        Some(what) => Err(format!("{file}: {what}")),
        None => Ok(ratio),
    }
}

fn main() -> ExitCode {
    let mut limit = Duration::from_secs(300);
    let mut files = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--timeout" {
            match arguments.next().and_then(|seconds| seconds.parse().ok()) {
                Some(seconds) => limit = Duration::from_secs(seconds),
                None => {
                    eprintln!("--timeout takes a number of seconds");
                    return ExitCode::FAILURE;
                }
            }
        } else {
            files.push(argument);
        }
    }
    if files.is_empty() {
        eprintln!("usage: replay [--timeout SECONDS] FILE.smt2…");
        return ExitCode::FAILURE;
    }
    let found = discover();
    if found.is_empty() {
        eprintln!("notice: no other solver on PATH");
    }
    for found in &found {
        eprintln!("{} {} at {}", found.name(), found.version, found.path.display());
    }
    let mut ratios = Vec::new();
    let mut failed = false;
    for file in &files {
        match script(file, limit, &found) {
            Ok(ratio) => ratios.extend(ratio),
            Err(message) => {
                eprintln!("error: {message}");
                failed = true;
            }
        }
    }
    if !ratios.is_empty() {
        println!(
            "{} scripts: the fastest other solver takes {:.2} times the time of the best embedded one (geometric mean)",
            ratios.len(),
            geometric_mean(&ratios)
        );
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
