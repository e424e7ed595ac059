//! The tests of the crate whose passes have faults: they are run as they are, with the fault.

use crate::search::{Catch, Outcome, timed};
use nilas_fault::Seeded;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// The part of the list whose faults are in passes.
const PART: &str = "Passes and terms";
/// The crate with the passes.
const CRATE: &str = "nilas-program";

/// The programs that `cargo test` would run.
pub(crate) struct Units(Vec<PathBuf>);

impl Units {
    /// Builds the tests, with faults in them, if one of the faults is in this crate.
    pub(crate) fn new(faults: &[&Seeded]) -> Self {
        if !faults.iter().any(|seeded| seeded.part == PART) {
            return Units(Vec::new());
        }
        let output = Command::new(env!("CARGO"))
            .args(["test", "--no-run", "--message-format=json", "--features", "faults", "-p", CRATE])
            .stderr(Stdio::inherit())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let built = said.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
        Units(built.filter_map(|message| Some(PathBuf::from(message["executable"].as_str()?))).collect())
    }

    /// The first test that fails with a fault of this part.
    pub(crate) fn search(&self, fault: &str, part: &str, limit: Duration) -> Option<Catch> {
        let mut after = Duration::ZERO;
        for program in self.0.iter().filter(|_| part == PART) {
            let (said, time) = run(program, fault, limit.saturating_sub(after));
            after += time;
            let name = said.lines().find_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"));
            if let Some(name) = name {
                let place = format!("{CRATE}: {name}");
                return Some(Catch { outcome: Outcome::Fails, usual: Outcome::Passes, place, after });
            }
        }
        None
    }
}

/// What a test program prints with a fault, and its processor time.
fn run(program: &Path, fault: &str, limit: Duration) -> (String, Duration) {
    let mut command = timed(limit.as_secs(), program);
    let output = command.env("NILAS_FAULT", fault).stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let time = crate::search::processor_time(&said).unwrap_or(limit);
    (String::from_utf8_lossy(&output.stdout).into_owned(), time)
}
