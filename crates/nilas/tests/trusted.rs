//! The lines that somebody who doubts a verdict has to read, counted: the table in ARCHITECTURE.md must say
//! what is there. `NILAS_WRITE=1 cargo test -p nilas --test trusted` writes it anew.

#![allow(clippy::unwrap_used)]

use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What is trusted, and for what. A folder stands for all files in it.
const TRUSTED: [(&str, &str); 42] = [
    ("nilas-evidence/src/check.rs", "which form is checked how"),
    ("nilas-evidence/src/induction.rs", "invariants"),
    ("nilas-evidence/src/contracts.rs", "contracts of procedures"),
    ("nilas-evidence/src/sharing.rs", "several cores"),
    ("nilas-evidence/src/unwinding.rs", "unwindings"),
    ("nilas-evidence/src/run.rs", "the only run"),
    ("nilas-evidence/src/replay.rs", "executions"),
    ("nilas-evidence/src/straight.rs", "executions, the quick way"),
    ("nilas-evidence/src/record.rs", "executions, what is kept"),
    ("nilas-evidence/src/answers.rs", "several targets"),
    ("nilas-evidence/src/system.rs", "transition systems"),
    ("nilas-evidence/src/cutset.rs", "cycles and regions"),
    ("nilas-evidence/src/region.rs", "a region as terms"),
    ("nilas-evidence/src/encoder.rs", "terms as circuits"),
    ("nilas-evidence/src/gates.rs", "circuits as clauses"),
    ("nilas-evidence/src/arrays.rs", "arrays and functions"),
    ("nilas-evidence/src/congruence", "questions without bits"),
    ("nilas-evidence/src/floats", "floats"),
    ("nilas-evidence/src/intervals", "floats, by intervals"),
    ("nilas-evidence/src/proof/rules", "the steps of proofs"),
    ("nilas-evidence/src/proof/clauses.rs", "the clauses of proofs"),
    ("nilas-evidence/src/proof/stream.rs", "what is given (two functions of it)"),
    ("nilas-evidence/src/proof/prover.rs", "what counts as an answer (`ask`, `decide_alone`)"),
    ("nilas-evidence/src/evidence.rs", "evidence as data"),
    ("nilas-evidence/src/text", "evidence as text"),
    ("nilas-term/src/arena.rs", "terms"),
    ("nilas-term/src/build.rs", "terms"),
    ("nilas-term/src/derived.rs", "terms"),
    ("nilas-term/src/simplify", "simplification of terms"),
    ("nilas-term/src/fold.rs", "simplification of terms"),
    ("nilas-term/src/subst.rs", "substitution"),
    ("nilas-term/src/import.rs", "terms from evidence"),
    ("nilas-term/src/eval.rs", "values of terms"),
    ("nilas-term/src/bitvec", "values"),
    ("nilas-term/src/float", "values, simplification of float terms"),
    ("nilas-program/src/automaton.rs", "the automaton"),
    ("nilas-program/src/command.rs", "the automaton"),
    ("nilas-program/src/procedures/validate.rs", "that an automaton is that of its module"),
    ("nilas-program/src/procedures/wellformed.rs", "modules"),
    ("nilas-program/src/procedures/unset.rs", "variables that are read before they are set"),
    ("nilas-program/src/interpret.rs", "executions"),
    ("nilas-program/src/machine", "executions, the quick way"),
];

/// Rows of crates that others work on may be off by one part in so many.
const TOLERANCE: usize = 20;

const BEGIN: &str = "<!-- trusted lines: written by crates/nilas/tests/trusted.rs -->";
const END: &str = "<!-- end of trusted lines -->";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Lines of code: no empty ones, no comments, no tests.
fn lines(path: &Path) -> usize {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
        return entries
            .filter(|path| !path.ends_with("tests") && !path.ends_with("tests.rs"))
            .map(|path| lines(&path))
            .sum();
    }
    let text = std::fs::read_to_string(path).unwrap();
    let code = text.split("#[cfg(test)]\n#[allow(clippy::unwrap_used)]\nmod tests {").next().unwrap();
    let code = code.split("#[cfg(test)]\nmod tests {").next().unwrap();
    code.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//")).count()
}

fn table(counts: &[usize]) -> String {
    let mut table = format!("{BEGIN}\n\n| file or folder | lines | for |\n|---|---|---|\n");
    for ((path, what), count) in TRUSTED.iter().zip(counts) {
        let _ = writeln!(table, "| `{path}` | {count} | {what} |");
    }
    let own: usize =
        TRUSTED.iter().zip(counts).filter(|((path, _), _)| is_own(path)).map(|(_, count)| count).sum();
    let all: usize = counts.iter().sum();
    let _ = writeln!(table, "| together | {all} | {own} of them in the checker itself |\n\n{END}");
    table
}

fn is_own(path: &str) -> bool {
    path.starts_with("nilas-evidence/")
}

#[test]
fn trusted_lines_are_counted() {
    let counts: Vec<usize> =
        TRUSTED.iter().map(|(path, _)| lines(&root().join("crates").join(path))).collect();
    assert!(counts.iter().all(|&count| count > 10), "{counts:?}");
    let place = root().join("ARCHITECTURE.md");
    let text = std::fs::read_to_string(&place).unwrap();
    let (before, rest) = text.split_once(BEGIN).unwrap();
    let (known, after) = rest.split_once(END).unwrap();
    if std::env::var_os("NILAS_WRITE").is_some() {
        std::fs::write(&place, format!("{before}{}{after}", table(&counts).trim_end())).unwrap();
        return;
    }
    for ((path, _), &count) in TRUSTED.iter().zip(&counts) {
        let row = known.lines().find_map(|line| line.strip_prefix(&format!("| `{path}` | ")));
        let told: usize =
            row.and_then(|row| row.split(' ').next()).and_then(|word| word.parse().ok()).unwrap_or(0);
        let most = if is_own(path) { 0 } else { count / TOLERANCE + 5 };
        assert!(
            told.abs_diff(count) <= most,
            "{path} has {count} lines, ARCHITECTURE.md says {told}: NILAS_WRITE=1 writes it"
        );
    }
}
