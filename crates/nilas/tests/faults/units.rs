//! The unit tests of what has a fault, where that is a pass or the memory of the lowering: they are run as
//! they are, with the fault.

use crate::search::{Catch, Outcome, timed};
use nilas_fault::Seeded;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Parts of the list, with the crate that has their faults and the module whose tests are run (all if empty).
const PARTS: [(&str, &str, &str); 3] = [
    ("Passes and terms", "nilas-program", ""),
    ("Memory", "nilas-c", "lower::memory"),
    ("Points-to analysis", "nilas-c", "lower::memory"),
];

/// The programs that `cargo test` would run, by crate.
pub(crate) struct Units(BTreeMap<&'static str, Vec<PathBuf>>);

impl Units {
    /// Builds the tests, with faults in them, of the crates that have one of the faults.
    pub(crate) fn new(faults: &[&Seeded]) -> Self {
        let mut programs = BTreeMap::new();
        for (part, krate, module) in PARTS {
            if faults.iter().any(|seeded| seeded.part == part) {
                programs.entry(krate).or_insert_with(|| build(krate, module));
            }
        }
        Units(programs)
    }

    /// The first test that fails with a fault of a part.
    pub(crate) fn search(&self, fault: &str, part: &str, limit: Duration) -> Option<Catch> {
        let (_, krate, module) = PARTS.iter().find(|(name, ..)| *name == part)?;
        let mut after = Duration::ZERO;
        for program in &self.0[krate] {
            let (said, time) = run(program, module, fault, limit.saturating_sub(after));
            after += time;
            let name = said.lines().find_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"));
            if let Some(name) = name {
                let place = format!("{krate}: {name}");
                return Some(Catch { outcome: Outcome::Fails, usual: Outcome::Passes, place, after });
            }
        }
        None
    }
}

/// The test programs of a crate, with faults; only that of the library where a module of it is meant.
fn build(krate: &str, module: &str) -> Vec<PathBuf> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["test", "--no-run", "--message-format=json", "--features", "faults", "-p", krate]);
    if !module.is_empty() {
        command.arg("--lib");
    }
    let output = command.stderr(Stdio::inherit()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let built = said.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    built.filter_map(|message| Some(PathBuf::from(message["executable"].as_str()?))).collect()
}

/// What a test program prints with a fault, and its processor time.
fn run(program: &Path, module: &str, fault: &str, limit: Duration) -> (String, Duration) {
    let mut command = timed(limit.as_secs(), program);
    let output = command.arg(module).env("NILAS_FAULT", fault).stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let time = crate::search::processor_time(&said).unwrap_or(limit);
    (String::from_utf8_lossy(&output.stdout).into_owned(), time)
}
