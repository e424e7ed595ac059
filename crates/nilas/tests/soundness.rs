//! Small programs written to attack the way from C to the automaton: allocation wrappers, pointers through
//! bytes and integers, library functions, names that look like library functions, NaN bits, lifetimes,
//! linkage, and more.
//!
//! Each file of `tests/soundness/` says in its first line what must come out:
//!
//! - `// never: safe`: the error can be reached. *Unknown* is allowed, a proof is not.
//! - `// never: unsafe`: the error cannot be reached in any implementation of C. *Unknown* is allowed.
//! - `// expect: safe`, `// expect: unsafe` or `// expect: unknown`: this verdict and no other.
//!
//! A second line `// options: …` gives more arguments of `nilas check`. Refusing a program or crashing always
//! fails. So that *unknown* does not become the answer to everything, most programs of which it is not
//! expected must be decided.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The least part of the programs that has to be decided, in percent.
const DECIDED: usize = 70;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Verdict {
    Safe,
    Unsafe,
    Unknown,
}

impl Verdict {
    fn named(word: &str) -> Self {
        match word {
            "safe" => Verdict::Safe,
            "unsafe" => Verdict::Unsafe,
            "unknown" => Verdict::Unknown,
            _ => panic!("`{word}` is no verdict"),
        }
    }

    fn of_exit_code(code: Option<i32>) -> Option<Self> {
        match code {
            Some(0) => Some(Verdict::Safe),
            Some(10) => Some(Verdict::Unsafe),
            Some(5) => Some(Verdict::Unknown),
            _ => None,
        }
    }
}

/// What the first line of a program promises.
#[derive(Clone, Copy, Debug)]
enum Promise {
    Expect(Verdict),
    Never(Verdict),
}

impl Promise {
    fn of(text: &str, path: &Path) -> Self {
        let first = text.lines().next().unwrap_or("");
        if let Some(word) = first.strip_prefix("// expect: ") {
            Promise::Expect(Verdict::named(word.trim()))
        } else if let Some(word) = first.strip_prefix("// never: ") {
            Promise::Never(Verdict::named(word.trim()))
        } else {
            panic!("{}: the first line has to be `// never: …` or `// expect: …`", path.display());
        }
    }

    fn allows(self, verdict: Verdict) -> bool {
        match self {
            Promise::Expect(expected) => verdict == expected,
            Promise::Never(wrong) => verdict != wrong,
        }
    }
}

impl fmt::Display for Promise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Promise::Expect(verdict) => write!(f, "expected {verdict:?}"),
            Promise::Never(verdict) => write!(f, "must never be {verdict:?}"),
        }
    }
}

fn programs() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/soundness");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    files.sort();
    files
}

/// The verdict, or what was said instead of one.
fn check(path: &Path, text: &str) -> Result<Verdict, String> {
    let options = text.lines().nth(1).and_then(|line| line.strip_prefix("// options: ")).unwrap_or("");
    let output = Command::new(env!("CARGO_BIN_EXE_nilas"))
        .args(["check", "--timeout", "30", "--quiet"])
        .args(options.split_whitespace())
        .arg(path)
        .output()
        .unwrap();
    Verdict::of_exit_code(output.status.code()).ok_or_else(|| {
        let said = String::from_utf8_lossy(&output.stderr);
        format!("{}: {}", output.status, said.lines().next().unwrap_or(""))
    })
}

#[test]
fn attack_programs_get_no_wrong_verdict() {
    let mut failures = Vec::new();
    let mut unknown = Vec::new();
    let mut open = 0;
    let programs = programs();
    for path in &programs {
        let text = std::fs::read_to_string(path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy();
        let promise = Promise::of(&text, path);
        open += usize::from(matches!(promise, Promise::Expect(Verdict::Unknown)));
        match check(path, &text) {
            Ok(verdict) if promise.allows(verdict) => {
                if verdict == Verdict::Unknown && !matches!(promise, Promise::Expect(_)) {
                    unknown.push(name.into_owned());
                }
            }
            Ok(verdict) => failures.push(format!("{name}: {verdict:?}, {promise}")),
            Err(said) => failures.push(format!("{name}: {said}")),
        }
    }
    eprintln!("{} programs, unknown: {}", programs.len(), unknown.join(", "));
    assert!(failures.is_empty(), "{} of {} fail:\n{}", failures.len(), programs.len(), failures.join("\n"));
    let to_decide = programs.len() - open;
    let decided = to_decide - unknown.len();
    assert!(
        decided * 100 >= to_decide * DECIDED,
        "only {decided} of {to_decide} are decided; unknown: {unknown:?}",
    );
}
