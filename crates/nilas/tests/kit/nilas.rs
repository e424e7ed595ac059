//! Verdicts of the `nilas` binary: that of this build, or the one that `NILAS_BINARY` names.

use super::program::Model;
use std::path::Path;
use std::process::Command;

/// What came out of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Answer {
    Safe,
    Unsafe,
    /// With the reason, without places.
    Unknown(String),
    /// Refused, or an internal error.
    Broken(String),
}

impl Answer {
    pub(crate) fn decided(&self) -> bool {
        matches!(self, Answer::Safe | Answer::Unsafe)
    }

    /// Whether two answers about programs of the same meaning can both be true.
    pub(crate) fn agrees(&self, other: &Answer) -> bool {
        !self.decided() || !other.decided() || self == other
    }
}

fn binary() -> String {
    std::env::var("NILAS_BINARY").unwrap_or_else(|_| env!("CARGO_BIN_EXE_nilas").into())
}

/// Asks about a program given as text.
pub(crate) fn check(text: &str, model: Model, more: &[&str]) -> Answer {
    let path = super::temporary("question.c");
    std::fs::write(&path, text).unwrap();
    let answer = check_file(&path, model, more);
    std::fs::remove_file(path).unwrap();
    answer
}

/// Asks about a file.
pub(crate) fn check_file(path: &Path, model: Model, more: &[&str]) -> Answer {
    let seconds = super::number("NILAS_TIMEOUT", 10).to_string();
    let output = Command::new(binary())
        .args(["check", "--timeout", &seconds, "--memory-limit", "3000", model.option()])
        .args(more)
        .arg(path)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    match output.status.code() {
        Some(0) => Answer::Safe,
        Some(10) => Answer::Unsafe,
        Some(5) => Answer::Unknown(reason(&said)),
        _ => {
            let error = String::from_utf8_lossy(&output.stderr);
            let line = error
                .lines()
                .chain(said.lines())
                .find(|line| line.contains("panicked") || line.contains("error"));
            Answer::Broken(format!("{}: {}", output.status, line.unwrap_or("")))
        }
    }
}

/// The reason of an unknown verdict, in words that are the same for many programs.
fn reason(said: &str) -> String {
    let line = said.lines().find_map(|line| line.strip_prefix("unknown: ")).unwrap_or("no reason");
    let places = [" (at ", " at /", " at <"];
    let end = places.iter().filter_map(|place| line.find(place)).min().unwrap_or(line.len());
    line[..end].to_owned()
}
