//! `nilas run` against gcc's address and undefined-behaviour sanitisers, by kind of undefined behaviour.
//!
//! Each file in `programs/KIND/` is two programs: with the macro `N` as the line `// good: …` says, it is
//! defined, and with the value of `// bad: …` it has the undefined behaviour that `// kind: …` names in the
//! words of `nilas run`. The first must print the same and end alike; for the second, the kind that the
//! sanitisers report must be a name for that of `nilas run`. Where the two cannot agree, `// differs: …` says
//! who is silent or crashes, and why; that is tested as well. `// options: …` are checks of `nilas run`
//! beside those of overflow and indices.
//!
//! A sample is run; `NILAS_SANITISERS` asks for all, `NILAS_TABLE` is a file for the table:
//!
//! ```sh
//! NILAS_SANITISERS=all NILAS_TABLE=table.txt cargo test --release -p nilas --test sanitisers
//! ```
#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs)]

#[path = "../kit/mod.rs"]
mod kit;

mod report;

use kit::gcc;
use kit::program::Model;
use report::Report;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One in so many files is in the sample.
const SAMPLE: usize = 12;

/// A file with its two programs.
struct Pair {
    /// The folder.
    group: String,
    name: String,
    path: PathBuf,
    text: String,
}

impl Pair {
    /// What a line at the head of the file says.
    fn head(&self, key: &str) -> Option<&str> {
        self.text
            .lines()
            .take_while(|line| line.starts_with("// "))
            .find_map(|line| line.strip_prefix("// ")?.strip_prefix(key)?.strip_prefix(": "))
    }

    fn value(&self, key: &str) -> &str {
        self.head(key).unwrap_or_else(|| panic!("{}: no line `// {key}: …`", self.path.display()))
    }
}

fn pairs() -> Vec<Pair> {
    let entries = |folder: &Path| {
        let mut paths: Vec<PathBuf> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sanitisers/programs");
    let mut pairs = Vec::new();
    for folder in entries(&base) {
        for path in entries(&folder) {
            pairs.push(Pair {
                group: folder.file_name().unwrap().to_string_lossy().into_owned(),
                name: path.file_stem().unwrap().to_string_lossy().into_owned(),
                text: std::fs::read_to_string(&path).unwrap(),
                path,
            });
        }
    }
    pairs
}

/// How a program ended: its status and output, or the name of its undefined behaviour.
#[derive(PartialEq, Eq, Debug)]
enum End {
    Exit(Option<i32>, String),
    Undefined(String),
}

/// Runs one of the programs by `nilas run`.
fn interpreted(pair: &Pair, value: &str) -> End {
    let binary = std::env::var("NILAS_BINARY").unwrap_or_else(|_| env!("CARGO_BIN_EXE_nilas").into());
    let more = pair.head("options").map(|option| match option {
        "strict" => "--strict",
        "uninitialised" => "--check-uninitialised",
        other => panic!("{}: no option `{other}`", pair.path.display()),
    });
    let run = |json: Option<&str>| {
        Command::new(&binary)
            .args(["run", "--quiet", "--timeout", "20", "--check-undefined", "--check-overflow"])
            .args(more)
            .args(json)
            .arg(format!("-DN={value}"))
            .arg(&pair.path)
            .output()
            .unwrap()
    };
    let output = run(Some("--json"));
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    if let Some(kind) = object["execution"]["undefined"]["kind"].as_str() {
        return End::Undefined(kind.to_owned());
    }
    let output = run(None);
    End::Exit(output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// What the two say of one of the programs.
fn compare(pair: &Pair, good: bool) -> Result<String, String> {
    let value = pair.value(if good { "good" } else { "bad" });
    let sanitised = report::sanitised(&pair.path, value);
    let interpreted = interpreted(pair, value);
    if good {
        return match (&sanitised, &interpreted) {
            (Report::Exit(status, printed), End::Exit(own, output)) if status == own && printed == output => {
                Ok("defined, the same output".to_owned())
            }
            _ => Err(format!("sanitisers {sanitised:?}, nilas {interpreted:?}")),
        };
    }
    let kind = pair.value("kind");
    let named = interpreted == End::Undefined(kind.to_owned());
    let silent = matches!(sanitised, Report::Exit(..));
    let (who, why) = pair.head("differs").and_then(|line| line.split_once(": ")).unwrap_or_default();
    match (who, &sanitised) {
        ("", Report::Found(what)) if named && report::names(what).contains(&kind) => {
            Ok(format!("{kind}: {what}"))
        }
        ("sanitisers silent", _) if named && silent => Ok(format!("{kind}: sanitisers silent, {why}")),
        ("sanitisers crash", Report::Found(what)) if named && what.starts_with("SEGV") => {
            Ok(format!("{kind}: sanitisers crash, {why}"))
        }
        ("both silent", _) if silent && matches!(interpreted, End::Exit(..)) => {
            Ok(format!("{kind}: both silent, {why}"))
        }
        _ => Err(format!("expected {kind}, sanitisers {sanitised:?}, nilas {interpreted:?}")),
    }
}

#[test]
fn run_agrees_with_the_sanitisers() {
    if !gcc::available(Model::Lp64) || !report::available() {
        eprintln!("skipped: gcc makes no programs with sanitisers here");
        return;
    }
    let all = std::env::var_os("NILAS_SANITISERS").is_some();
    let (mut rows, mut failures) = (String::new(), Vec::new());
    // Group: programs, those with agreement, those with a reason.
    let mut groups: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    for (place, pair) in pairs().iter().enumerate() {
        if !all && place % SAMPLE != 0 {
            continue;
        }
        for good in [true, false] {
            let title = format!("{}/{} {}", pair.group, pair.name, if good { "good" } else { "bad" });
            let counts = groups.entry(pair.group.clone()).or_default();
            counts[0] += 1;
            match compare(pair, good) {
                Ok(what) => {
                    counts[1 + usize::from(!good && pair.head("differs").is_some())] += 1;
                    if !good {
                        writeln!(rows, "  {:<44} {what}", format!("{}/{}", pair.group, pair.name)).unwrap();
                    }
                }
                Err(what) => failures.push(format!("{title}: {what}")),
            }
        }
    }
    let table = table(&groups, &rows, &failures);
    eprintln!("{table}");
    if let Ok(path) = std::env::var("NILAS_TABLE") {
        std::fs::write(path, table).unwrap();
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn table(groups: &BTreeMap<String, [usize; 3]>, rows: &str, failures: &[String]) -> String {
    let mut text = String::from(
        "`nilas run` against gcc's address and undefined-behaviour sanitisers: small programs by kind, half of them defined.\n\
         NILAS_SANITISERS=all NILAS_TABLE=benchmarks/results/sanitisers.txt cargo test --release -p nilas --test sanitisers\n\n",
    );
    writeln!(
        text,
        "{:<24} {:>9} {:>7} {:>19} {:>9}",
        "kind", "programs", "agree", "differ by a reason", "disagree"
    )
    .unwrap();
    let mut all = [0; 3];
    let mut row = |name: &str, [programs, agree, reason]: [usize; 3]| {
        let rest = programs - agree - reason;
        writeln!(text, "{name:<24} {programs:>9} {agree:>7} {reason:>19} {rest:>9}").unwrap();
    };
    for (name, counts) in groups {
        row(name, *counts);
        for (sum, count) in all.iter_mut().zip(counts) {
            *sum += count;
        }
    }
    row("all", all);
    write!(
        text,
        "\nThe undefined programs: the kind of `nilas run`, and the report of the sanitisers\n{rows}"
    )
    .unwrap();
    if !failures.is_empty() {
        write!(text, "\ndisagreements\n{}\n", failures.join("\n")).unwrap();
    }
    text
}
