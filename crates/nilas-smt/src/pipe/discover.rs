//! Which solvers there are, and what they can do.
//!
//! Programs are looked for on PATH by name. What a program claims to be is not trusted: each feature is tried
//! with a script of a few lines whose answer is known, and counts when the answer comes, in time. So a
//! version that lost or gained a theory, or a program that merely has the name, is seen for what it is.

use super::Piped;
use super::dialect::Kind;
use super::features::Features;
use super::process::Process;
use crate::budget::Budget;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// How long a program may take to say its version, or to answer a script of a few lines.
const PATIENCE: Duration = Duration::from_secs(5);

/// What a solver can do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Abilities {
    /// The theories it decides, each by a tried example.
    pub features: Features,
    /// It names failed assumptions. Without that, all of them are taken to have failed.
    pub unsat_assumptions: bool,
    /// It has scopes.
    pub push_pop: bool,
    /// It can be told a limit for a single check other than time.
    pub conflict_limits: bool,
}

/// A solver that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Which one it is.
    pub kind: Kind,
    /// Where it is.
    pub path: PathBuf,
    /// What it says its version is; a number where one is recognised.
    pub version: String,
    /// What it can do.
    pub abilities: Abilities,
}

impl Found {
    /// The name of the program.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.kind.program()
    }

    /// A solver with nothing asserted. The program is started by its first check.
    #[must_use]
    pub fn start(&self) -> Piped {
        Piped::new(self)
    }

    /// What `nilas solvers` shows of it.
    #[must_use]
    pub fn describe(&self) -> Description {
        let mut abilities = self.abilities.features.words();
        if self.abilities.unsat_assumptions {
            abilities.push("failed assumptions");
        }
        if self.abilities.push_pop {
            abilities.push("scopes");
        }
        if self.abilities.conflict_limits {
            abilities.push("limits per check");
        }
        Description {
            name: self.name(),
            version: self.version.clone(),
            path: self.path.display().to_string(),
            abilities,
        }
    }
}

/// A solver in words, for a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The name of the program.
    pub name: &'static str,
    /// Its version.
    pub version: String,
    /// Where it is.
    pub path: String,
    /// What it can do, a few words each.
    pub abilities: Vec<&'static str>,
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:<10} {:<10} {}", self.name, self.version, self.path)?;
        write!(f, "\n{:<10} {:<10} {}", "", "", self.abilities.join(", "))
    }
}

/// The solvers in words.
#[must_use]
pub fn describe(found: &[Found]) -> Vec<Description> {
    found.iter().map(Found::describe).collect()
}

/// The solvers on PATH. They are tried at the first call only; that takes a moment per solver.
#[must_use]
pub fn discover() -> Vec<Found> {
    static FOUND: OnceLock<Vec<Found>> = OnceLock::new();
    FOUND.get_or_init(|| Kind::ALL.into_iter().filter_map(find).collect()).clone()
}

/// The first program on PATH that has the name of a solver and answers.
fn find(kind: Kind) -> Option<Found> {
    let path = std::env::var_os("PATH")?;
    let candidates = std::env::split_paths(&path)
        .map(|folder| folder.join(kind.program()))
        .filter(|candidate| is_executable(candidate));
    candidates.into_iter().find_map(|candidate| examine(kind, &candidate))
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

/// Looks at one program: what it says its version is, and what it can do. `None` when it is no solver.
#[must_use]
pub fn examine(kind: Kind, path: &Path) -> Option<Found> {
    let text = {
        let mut process = Process::start(path, &[kind.version_argument().to_owned()]).ok()?;
        process.receive_all(1 << 16, &patience()).ok()?
    };
    let tried = |script: &str, logic: &str| try_script(kind, path, logic, script).is_some();
    if !tried("(declare-const p Bool)(assert p)(check-sat)(get-value (p))", "QF_BV") {
        return None;
    }
    let mut features = Features::NONE;
    for (feature, logic, script) in EXAMPLES {
        if tried(script, logic) {
            features = features.union(*feature);
        }
    }
    // The union of numbers and bits made them mixed; whether they may be is one of the examples.
    if !tried(MIXED, "ALL") {
        features = features.without(Features::MIXED);
    }
    let abilities = Abilities {
        features,
        unsat_assumptions: tried(FAILED, "QF_BV"),
        push_pop: tried(SCOPES, "QF_BV"),
        conflict_limits: kind.conflict_limit(None).is_some(),
    };
    Some(Found { kind, path: path.to_owned(), version: version(&text), abilities })
}

fn patience() -> Budget {
    Budget { deadline: Some(Instant::now() + PATIENCE), ..Budget::default() }
}

/// Scripts that a solver with the feature answers with `sat` and a list of values.
const EXAMPLES: &[(Features, &str, &str)] = &[
    (
        Features::BIT_VECTORS,
        "QF_BV",
        "(declare-const x (_ BitVec 8))(assert (= (bvmul x #x03) #x0c))(check-sat)(get-value (x))",
    ),
    (
        Features::ARRAYS,
        "QF_ABV",
        "(declare-const a (Array (_ BitVec 8) (_ BitVec 8)))(assert (= (select (store a #x00 #x01) #x01) #x02))
         (check-sat)(get-value ((select a #x01)))",
    ),
    (
        Features::CONSTANT_ARRAYS,
        "ALL",
        "(declare-const a (Array (_ BitVec 8) (_ BitVec 8)))
         (assert (= a ((as const (Array (_ BitVec 8) (_ BitVec 8))) #x05)))
         (check-sat)(get-value ((select a #x01)))",
    ),
    (
        Features::FUNCTIONS,
        "QF_UFBV",
        "(declare-fun f ((_ BitVec 8)) (_ BitVec 8))(assert (distinct (f #x00) (f #x01)))
         (check-sat)(get-value ((f #x00)))",
    ),
    (
        Features::SORTS,
        "QF_UF",
        "(declare-sort S 0)(declare-fun s () S)(declare-fun t () S)(assert (distinct s t))
         (check-sat)(get-value (s))",
    ),
    (
        Features::FLOATS,
        "QF_BVFP",
        "(declare-const f (_ FloatingPoint 5 11))(declare-const r RoundingMode)
         (assert (fp.isNormal (fp.add r f f)))(check-sat)(get-value (f))",
    ),
    (Features::INTEGERS, "QF_LIA", "(declare-const i Int)(assert (< i (- 3)))(check-sat)(get-value (i))"),
    (Features::REALS, "QF_LRA", "(declare-const r Real)(assert (< (* 3.0 r) 1.0))(check-sat)(get-value (r))"),
    (
        Features::NONLINEAR,
        "QF_NIA",
        "(declare-const i Int)(assert (= (* i i) 49))(assert (< i 0))(check-sat)(get-value (i))",
    ),
];

const MIXED: &str = "(declare-const i Int)(declare-const x (_ BitVec 8))(assert (= (= i 3) (= x #x03)))
    (check-sat)(get-value (i x))";
const FAILED: &str = "(declare-const p Bool)(declare-const q Bool)(assert (=> q (not p)))
    (check-sat-assuming (p))(check-sat-assuming (p q))(get-unsat-assumptions)";
const SCOPES: &str =
    "(declare-const p Bool)(push 1)(assert (not p))(pop 1)(assert p)(check-sat)(get-value (p))";

/// The last response to a script, if it is a list that is no error, after nothing but answers; in time.
fn try_script(kind: Kind, path: &Path, logic: &str, script: &str) -> Option<String> {
    let budget = patience();
    let mut process = Process::start(path, &kind.arguments()).ok()?;
    process.send(format!("{}{script}\n", kind.preamble(logic, true)));
    let mut answered = false;
    loop {
        let response = process.receive(&budget).ok()?;
        match response.as_str() {
            "sat" | "unsat" => answered = true,
            list if answered && list.starts_with('(') && !list.starts_with("(error") => {
                return Some(response);
            }
            _ => return None,
        }
    }
}

/// The first number with a point in a text; the first words where there is none.
fn version(text: &str) -> String {
    let number = |word: &str| {
        let word = word.trim_start_matches('v').trim_end_matches([',', ')', ';']);
        let is_version = word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.');
        is_version.then(|| word.to_owned())
    };
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    text.split_whitespace()
        .find_map(number)
        .unwrap_or_else(|| first.split_whitespace().take(4).collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_found_in_what_solvers_print() {
        assert_eq!(version("Z3 version 4.8.12 - 64 bit\n"), "4.8.12");
        assert_eq!(version("This is cvc5 version 1.0.3\ncompiled with GCC version 12.2.0"), "1.0.3");
        assert_eq!(version("Yices 2.6.5\nCopyright SRI International."), "2.6.5");
        assert_eq!(version("0.7.0-dev\n"), "0.7.0-dev");
        assert_eq!(
            version("MathSAT5 version 5.6.11 (abc) (Jun 2024, gmp 6.2.0, gcc 7.5.0, 64-bit)"),
            "5.6.11"
        );
        assert_eq!(version("nightly build of today and more"), "nightly build of today");
        assert_eq!(version(""), "");
    }

    #[test]
    fn a_program_that_is_no_solver_is_not_taken_for_one() {
        for program in ["/bin/true", "/bin/cat", "/bin/false", "/nonexistent"] {
            assert_eq!(examine(Kind::Z3, Path::new(program)), None, "{program}");
        }
    }
}
