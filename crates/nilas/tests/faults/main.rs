//! Seeded faults: for every mistake of `nilas-fault`, what finds it, in which program, and how soon.
//!
//! The programs are those of other tests, none written for a fault (see `suite`). They are checked with the
//! fault, those with a word of its construct first (see `words`), until the second reading of C contradicts a
//! verdict or the time is up; wrong verdicts on the way are noted. What is slow or not decided as promised
//! without fault is left out.
//!
//! Needs the feature `faults`. `NILAS_TABLE` is a file for the table, `NILAS_SECONDS` the time per fault,
//! `NILAS_ONLY` the names of a few faults (with commas between them), `NILAS_JOBS` the number of checks at a
//! time, `NILAS_BINARY` another binary than that of this build (with the feature).
//!
//! ```sh
//! NILAS_TABLE=table.txt cargo test --release -p nilas --features faults --test faults
//! ```
#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs)]

#[path = "../kit/mod.rs"]
mod kit;
#[path = "../generators/programs/mod.rs"]
mod programs;

mod search;
mod suite;
mod table;
mod words;

use nilas_fault::{ALL, Seeded};
use search::search;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Mutex;
use std::time::Duration;

/// Does something with all items, `NILAS_JOBS` at a time; what came out, in order.
fn in_parallel<T: Send, U: Send>(items: Vec<T>, work: impl Fn(T) -> Option<U> + Sync) -> Vec<U> {
    let items: Mutex<VecDeque<(usize, T)>> = Mutex::new(items.into_iter().enumerate().collect());
    let results: Mutex<BTreeMap<usize, U>> = Mutex::new(BTreeMap::new());
    std::thread::scope(|scope| {
        for _ in 0..kit::number("NILAS_JOBS", 1) {
            scope.spawn(|| {
                loop {
                    let next = items.lock().unwrap().pop_front();
                    let Some((number, item)) = next else { break };
                    if let Some(result) = work(item) {
                        results.lock().unwrap().insert(number, result);
                    }
                }
            });
        }
    });
    results.into_inner().unwrap().into_values().collect()
}

#[test]
fn faults_are_found() {
    let only = std::env::var("NILAS_ONLY").ok();
    let wanted = |name: &str| only.as_ref().is_none_or(|only| only.split(',').any(|other| other == name));
    let faults: Vec<&Seeded> = ALL.iter().filter(|seeded| wanted(seeded.name)).collect();
    let time = Duration::from_secs(kit::number("NILAS_SECONDS", 20));
    let suite = suite::Suite::new();
    let found = in_parallel(faults.clone(), |seeded| {
        let result = search(seeded.name, &suite, time);
        eprintln!("{}: {result}", seeded.name);
        Some(result)
    });
    let table = table::table(&faults, &found, &suite, time);
    match std::env::var("NILAS_TABLE") {
        Ok(path) => std::fs::write(path, &table).unwrap(),
        Err(_) => eprintln!("{table}"),
    }
    let missed: Vec<&str> = faults
        .iter()
        .zip(&found)
        .filter(|(_, found)| !found.is_caught())
        .map(|(seeded, _)| seeded.name)
        .collect();
    assert!(missed.is_empty(), "not found: {missed:?}");
    let read = found.iter().filter(|found| found.reading.is_some()).count();
    assert!(2 * read >= found.len() || only.is_some(), "the second reading finds {read} of {}", found.len());
}
