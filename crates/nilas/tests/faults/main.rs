//! Seeded faults: for every mistake of `nilas-fault`, what finds it, in which program, and how soon.
//!
//! The programs are those of other tests, none written for a fault (see `suite`); for some parts the
//! unit tests of what is wrong are run first (see `units`). Programs are checked with the fault, those with a word
//! of its construct first (see `words`), until the second reading of C contradicts a verdict or the time is
//! up; wrong verdicts on the way are noted. What is slow or not decided as promised without fault is left
//! out. The table is written anew after every fault.
//!
//! Needs the feature `faults`. `NILAS_TABLE` is a file for the table, `NILAS_SECONDS` the time per fault,
//! `NILAS_ONLY` the names of a few faults (with commas between them), `NILAS_JOBS` the number of checks at a
//! time, `NILAS_BINARY` another binary than that of this build (with the feature).
//!
//! ```sh
//! NILAS_TABLE=table.txt cargo test --release -p nilas --features faults --test faults
//! ```
#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs)]

#[path = "../../../nilas-c/tests/compiler/expressions.rs"]
mod expressions;
#[path = "../../../nilas-c/tests/compiler/generator.rs"]
#[allow(clippy::format_push_string, reason = "shared with the front end's tests")]
mod generator;
#[path = "../kit/mod.rs"]
mod kit;
#[path = "../lifetimes/programs.rs"]
mod lifetimes;
#[path = "../generators/programs/mod.rs"]
mod programs;
#[path = "../../../nilas-c/tests/compiler/statements.rs"]
mod statements;

mod search;
mod suite;
mod table;
mod units;
mod words;

use kit::random;
use nilas_fault::{ALL, Seeded};
use search::search;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Mutex;
use std::time::Duration;

/// Does something with all items, `NILAS_JOBS` at a time.
fn in_parallel<T: Send>(items: Vec<T>, work: impl Fn(T) + Sync) {
    let items = Mutex::new(VecDeque::from(items));
    std::thread::scope(|scope| {
        for _ in 0..kit::number("NILAS_JOBS", 1) {
            scope.spawn(|| {
                loop {
                    let next = items.lock().unwrap().pop_front();
                    let Some(item) = next else { break };
                    work(item);
                }
            });
        }
    });
}

#[test]
fn faults_are_found() {
    let only = std::env::var("NILAS_ONLY").ok();
    let wanted = |name: &str| only.as_ref().is_none_or(|only| only.split(',').any(|other| other == name));
    let faults: Vec<&Seeded> = ALL.iter().filter(|seeded| wanted(seeded.name)).collect();
    let time = Duration::from_secs(kit::number("NILAS_SECONDS", 20));
    let suite = suite::Suite::new();
    let units = units::Units::new(&faults);
    let results = Mutex::new(BTreeMap::new());
    in_parallel(faults.iter().enumerate().collect(), |(place, seeded)| {
        let found = units.search(seeded.name, seeded.part, time);
        let result = search(seeded.name, &suite, found, time);
        eprintln!("{}: {result}", seeded.name);
        let mut results = results.lock().unwrap();
        results.insert(place, (*seeded, result));
        if let Ok(path) = std::env::var("NILAS_TABLE") {
            std::fs::write(path, table::table(results.values(), &suite, time)).unwrap();
        }
    });
    let results = results.into_inner().unwrap();
    eprintln!("{}", table::table(results.values(), &suite, time));
    let found = || results.values().map(|(seeded, found)| (seeded.name, found));
    let missed: Vec<&str> = found().filter(|(_, found)| !found.is_caught()).map(|(name, _)| name).collect();
    assert!(missed.is_empty(), "not found: {missed:?}");
    let read = found().filter(|(_, found)| found.reading.is_some()).count();
    assert!(
        2 * read >= results.len() || only.is_some(),
        "the second reading finds {read} of {}",
        results.len()
    );
}
