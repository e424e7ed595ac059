//! Recorded query streams on the embedded solver and on the solvers on PATH, in one run.
//!
//! `cargo run --release -p nilas-smt --example replay -- [--timeout SECONDS] [--queries N] FILE.smt2…`
//!
//! The embedded solver gets the calls that were recorded, on each SAT core in turn; the time is that of the
//! calls, without reading the script, which includes encoding. Another solver gets them as a script in a
//! file, with the least logic that has what it needs; its time is that of the whole run less that of a run of
//! the same script without its checks, which leaves out starting and reading. (Work that it does lazily falls
//! into its checks, as it does in ours.) All times are processor times, the mean of as many runs as it takes
//! for the embedded solver. All answers must agree with each other and with what was recorded.
//!
//! The table has microseconds per query, and how many times faster our own core is than the fastest of the
//! others, CaDiCaL in the embedded solver among them; at the end are the least ratio and the geometric mean.
//! Scripts of fewer than N queries (default 100) are left out: they tell how a solver starts.

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

/// Times of a script.
struct Compared {
    /// How many times as long the fastest other takes, all counted.
    all: f64,
    /// The same, without CaDiCaL in the embedded solver.
    external: Option<f64>,
}

/// Processor time over which runs are repeated, so that ticks of the clock do not matter.
const ENOUGH: Duration = Duration::from_millis(200);
const MAX_RUNS: u32 = 2000;

/// The mean of as many runs as it takes.
fn repeated<S: SatSolver + Default + 'static>(name: &str, stream: &Stream, limit: Duration) -> Run {
    let clock = Clock::now();
    let (mut total, mut runs) = (Duration::ZERO, 0);
    loop {
        let mut run = embedded::<S>(name, stream, limit);
        runs += 1;
        let Some(time) = run.time else { return run };
        total += time;
        if clock.own() >= ENOUGH || runs == MAX_RUNS {
            run.time = Some((total / runs).max(Duration::from_nanos(1)));
            return run;
        }
    }
}

fn script(file: &str, least: usize, limit: Duration, found: &[Found]) -> Result<Option<Compared>, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let stream = Stream::read(&text).map_err(|error| format!("{file}: {error}"))?;
    let queries = stream.queries();
    if queries < least {
        return Ok(None);
    }
    let mut runs = vec![
        repeated::<Cdcl>("cdcl", &stream, limit),
        repeated::<Cadical>("cadical", &stream, limit),
        repeated::<Batsat>("batsat", &stream, limit),
    ];
    let ours = runs.len();
    for found in found {
        let able = found.abilities.features.contains(stream.features());
        runs.extend(able.then(|| others::run(found, &stream, limit)));
    }
    let micros = |run: &Run| run.time.map(|time| time.as_secs_f64() * 1e6 / queries as f64);
    let mut line = format!("{:<28}{queries:>8}", file.rsplit('/').next().unwrap_or(file));
    let columns = ["cdcl", "cadical", "batsat"].into_iter().chain(found.iter().map(Found::name));
    for name in columns {
        let run = runs.iter().find(|run| run.name == name);
        let cell = match run.map(|run| (micros(run), run.note.as_str())) {
            Some((Some(micros), _)) => format!("{micros:.1}"),
            Some((None, note)) if note.contains("time limit") => "timeout".to_owned(),
            Some((None, note)) => {
                eprintln!("{file}: {name}: {note}");
                "failed".to_owned()
            }
            None => "-".to_owned(),
        };
        line.push_str(&format!("{cell:>11}"));
    }
    let own = runs[0].time.map(|time| time.as_secs_f64());
    let ratio = |others: &[Run]| Some(fastest(others)?.time?.as_secs_f64() / own?);
    let (all, external) = (ratio(&runs[1..]), ratio(&runs[ours..]));
    let cell = |ratio: Option<f64>| ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.2}"));
    println!("{line}{:>9}{:>9}", cell(all), cell(external));
    match disagreement(&runs, &stream) {
        Some(what) => Err(format!("{file}: {what}")),
        None => Ok(all.map(|all| Compared { all, external })),
    }
}

fn summary(what: &str, ratios: &[f64]) {
    if !ratios.is_empty() {
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        let mean = geometric_mean(ratios);
        println!("{what}: geometric mean {mean:.2}, least {least:.2}, of {} scripts", ratios.len());
    }
}

fn main() -> ExitCode {
    let (mut limit, mut least) = (Duration::from_secs(300), 100);
    let mut files = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--timeout" || argument == "--queries" {
            let Some(number) = arguments.next().and_then(|number| number.parse().ok()) else {
                eprintln!("{argument} takes a number");
                return ExitCode::FAILURE;
            };
            if argument == "--timeout" {
                limit = Duration::from_secs(number);
            } else {
                least = usize::try_from(number).unwrap_or(usize::MAX);
            }
        } else {
            files.push(argument);
        }
    }
    if files.is_empty() {
        eprintln!("usage: replay [--timeout SECONDS] [--queries N] FILE.smt2…");
        return ExitCode::FAILURE;
    }
    let found = discover();
    if found.is_empty() {
        eprintln!("notice: no other solver on PATH");
    }
    for found in &found {
        println!("# {} {} at {}", found.name(), found.version, found.path.display());
    }
    print!("{:<28}{:>8}", "µs per query", "queries");
    for name in ["cdcl", "cadical", "batsat"].into_iter().chain(found.iter().map(Found::name)) {
        print!("{name:>11}");
    }
    println!("{:>9}{:>9}", "ratio", "external");
    let mut compared: Vec<Compared> = Vec::new();
    let mut failed = false;
    for file in &files {
        match script(file, least, limit, &found) {
            Ok(result) => compared.extend(result),
            Err(message) => {
                eprintln!("error: {message}");
                failed = true;
            }
        }
    }
    let all: Vec<f64> = compared.iter().map(|it| it.all).collect();
    let external: Vec<f64> = compared.iter().filter_map(|it| it.external).collect();
    summary("time of the fastest other by that of cdcl", &all);
    summary("the same, external solvers alone", &external);
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
