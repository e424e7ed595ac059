//! `nilas check --property` by kind: each file is two programs, by the value of the macro `N`, of which one
//! keeps the property everywhere and the other violates it.
//!
//! The files are those of the test against gcc's sanitisers, which says that `nilas run` and gcc agree about
//! them, and those in `programs/`, of which most depend on an input. What is violated must be named by its
//! property, and a saved answer must be accepted again.
//!
//! A sample is checked; `NILAS_PROPERTIES` asks for all, `NILAS_TABLE` is a file for the table:
//!
//! ```sh
//! NILAS_PROPERTIES=all NILAS_TABLE=table.txt cargo test --release -p nilas --test properties
//! ```
#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// One in so many files is in the sample.
const SAMPLE: usize = 9;
/// The least part that has to be decided, in percent.
const DECIDED: usize = 80;

/// The property that a kind of `nilas run` violates; nothing for kinds that no property is about.
fn property(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "out-of-bounds-read" | "out-of-bounds-write" | "index-out-of-array" => "bounds",
        "use-after-free" | "dead-object" => "use-after-free",
        "null-dereference" | "call-of-no-function" => "null",
        "division-by-zero" => "division",
        "division-overflow" | "signed-overflow" => "signed-overflow",
        "shift-too-far" | "shift-overflow" => "shift",
        "float-to-int-overflow" => "float-to-int",
        "invalid-free" => "bad-free",
        "double-free" => "double-free",
        "missing-return-value" => "missing-return",
        "string-literal-write" => "string-literal-write",
        "unreachable-reached" => "unreachable",
        "uninitialised-read" => "uninitialised",
        "unsequenced-conflict"
        | "array-length"
        | "const-write"
        | "open-result"
        | "missing-argument"
        | "argument-type" => "other-undefined",
        _ => return None,
    })
}

/// A file with its two programs.
struct Pair {
    property: String,
    path: PathBuf,
    text: String,
}

impl Pair {
    /// What a line at the head of the file says.
    fn head(&self, key: &str) -> Option<&str> {
        let lines = self.text.lines().take_while(|line| line.starts_with("// "));
        let mut values =
            lines.filter_map(|line| line.strip_prefix("// ")?.strip_prefix(key)?.strip_prefix(": "));
        values.next()
    }
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn pairs() -> Vec<Pair> {
    let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut paths = entries(&base.join("properties/programs"));
    paths.extend(entries(&base.join("sanitisers/programs")).iter().flat_map(|folder| entries(folder)));
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        let mut pair = Pair { property: String::new(), path, text };
        let named = pair.head("property").map(str::to_owned);
        pair.property = named.or_else(|| property(pair.head("kind")?).map(str::to_owned))?;
        Some(pair)
    };
    paths.into_iter().filter_map(read).collect()
}

/// What came of a check.
#[derive(PartialEq, Eq, Debug)]
enum Verdict {
    Right,
    Unknown(String),
    Wrong(String),
}

fn nilas(arguments: &[&str], pair: &Pair, value: &str, evidence: Option<&Path>) -> std::process::Output {
    let binary = std::env::var("NILAS_BINARY").unwrap_or_else(|_| env!("CARGO_BIN_EXE_nilas").into());
    Command::new(binary)
        .args(arguments)
        .args(["--property", &pair.property, "--timeout", "20", "--json"])
        .args(pair.head("options").iter().flat_map(|options| options.split_whitespace()))
        .arg(format!("-DN={value}"))
        .arg(&pair.path)
        .args(evidence)
        .output()
        .unwrap()
}

fn judge(pair: &Pair, good: bool) -> Verdict {
    let value = pair.head(if good { "good" } else { "bad" }).unwrap();
    let number = std::process::id();
    let stem = pair.path.file_stem().unwrap().to_string_lossy().into_owned();
    let evidence = std::env::temp_dir().join(format!("nilas-property-{number}-{stem}-{good}"));
    let saved = evidence.display().to_string();
    let output = nilas(&["check", "--evidence", &saved], pair, value, None);
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap_or_default();
    let told = || {
        let error = String::from_utf8_lossy(&output.stderr);
        format!("exit {:?}: {}{error}", output.status.code(), String::from_utf8_lossy(&output.stdout))
    };
    let places = object["places"].as_array().cloned().unwrap_or_default();
    let wanted = |place: &&serde_json::Value| {
        place["verdict"] == "unsafe" && place["property"] == pair.property.as_str()
    };
    let verdict = match (output.status.code(), good) {
        (Some(0), true) => Verdict::Right,
        (Some(10), false) if places.iter().any(|place| wanted(&place)) => Verdict::Right,
        (Some(5), _) => {
            let why = places.iter().find_map(|place| place["reason"].as_str()).or(object["reason"].as_str());
            Verdict::Unknown(why.unwrap_or_default().to_owned())
        }
        _ => Verdict::Wrong(told()),
    };
    let verdict = if verdict == Verdict::Right {
        let again = nilas(&["verify-evidence"], pair, value, Some(&evidence));
        match again.status.code() == output.status.code() {
            true => Verdict::Right,
            false => Verdict::Wrong(format!("verify-evidence: {}", String::from_utf8_lossy(&again.stdout))),
        }
    } else {
        verdict
    };
    let _ = std::fs::remove_file(evidence);
    verdict
}

#[test]
fn properties_are_told_apart() {
    let all = std::env::var_os("NILAS_PROPERTIES").is_some();
    let only = std::env::var("NILAS_ONLY").ok();
    // Property: programs, those that are decided, those that are wrong.
    let mut counts: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    let (mut wrong, mut unknown) = (Vec::new(), String::new());
    for (place, pair) in pairs().iter().enumerate() {
        let named = only.as_ref().is_some_and(|only| pair.path.to_string_lossy().contains(only.as_str()));
        if !named && (only.is_some() || !all && place % SAMPLE != 0) {
            continue;
        }
        for good in [true, false] {
            let count = counts.entry(pair.property.clone()).or_default();
            count[0] += 1;
            let title = format!("{} {}", pair.path.display(), if good { "good" } else { "bad" });
            match judge(pair, good) {
                Verdict::Right => count[1] += 1,
                Verdict::Unknown(why) => writeln!(unknown, "  {title}: {why}").unwrap(),
                Verdict::Wrong(what) => {
                    count[2] += 1;
                    wrong.push(format!("{title}: {what}"));
                }
            }
        }
    }
    let mut table = format!("{:<24} {:>9} {:>8} {:>6}\n", "property", "programs", "decided", "wrong");
    let mut sum = [0; 3];
    for (name, count) in &counts {
        writeln!(table, "{name:<24} {:>9} {:>8} {:>6}", count[0], count[1], count[2]).unwrap();
        sum.iter_mut().zip(count).for_each(|(sum, count)| *sum += count);
    }
    writeln!(table, "{:<24} {:>9} {:>8} {:>6}\n\nnot decided\n{unknown}", "all", sum[0], sum[1], sum[2])
        .unwrap();
    eprintln!("{table}");
    if let Ok(path) = std::env::var("NILAS_TABLE") {
        std::fs::write(path, table).unwrap();
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(sum[1] * 100 >= sum[0] * DECIDED, "only {} of {} are decided", sum[1], sum[0]);
}

/// One question per place: what is violated is taken out, the rest is proved, and the headline names the first.
#[test]
fn each_place_has_its_answer() {
    let text = "#include <assert.h>\nint a[4];\nint __VERIFIER_nondet_int(void);\nint main(void) {\n  int i = __VERIFIER_nondet_int();\n  \
                int d = __VERIFIER_nondet_int();\n  a[i & 3] = 1;\n  if (i >= 0 && i <= 4) a[i] = 2;\n  if (d != 0) i = 10 / d;\n  \
                i = 10 % d;\n  assert(i < 11);\n  assert(i > 5);\n  return 0;\n}\n";
    let path = std::env::temp_dir().join(format!("nilas-places-{}.c", std::process::id()));
    std::fs::write(&path, text).unwrap();
    let check = |more: &[&str]| {
        let mut nilas = Command::new(env!("CARGO_BIN_EXE_nilas"));
        let list = "assert,bounds,division";
        nilas.args(["check", "--property", list, "--timeout", "60"]).args(more).arg(&path).output().unwrap()
    };
    let output = check(&["--json"]);
    assert_eq!(output.status.code(), Some(10));
    let object: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let told: Vec<String> = object["places"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| {
            let text = |key: &str| it[key].as_str().unwrap_or_default().to_owned();
            format!("{} {} {}: {}", it["line"], text("property"), text("expression"), text("verdict"))
        })
        .collect();
    let expected = [
        // The index, and the access.
        "7 bounds a[i & 3]: safe",
        "7 bounds a[i & 3] = 1: safe",
        "8 bounds a[i]: unsafe",
        "8 bounds a[i] = 2: safe",
        "9 division 10 / d: safe",
        "10 division 10 % d: unsafe",
        "11 assert i < 11: safe",
        "12 assert i > 5: unsafe",
    ];
    assert_eq!(told, expected);
    let said = String::from_utf8(check(&[]).stdout).unwrap();
    let name = path.display();
    assert!(said.starts_with(&format!("unsafe: access out of bounds at {name}:8: a[i]\n")), "{said}");
    assert!(said.contains(&format!("also: assertion failed at {name}:12: i > 5\n")), "{said}");
    assert!(said.contains("5 of 8 places are safe\n"), "{said}");
    // What the execution does is told step by step, and ends with the place.
    let execution = said.split(&format!("execution to {name}:8:\n")).nth(1).unwrap();
    let execution = execution.split("execution to ").next().unwrap();
    assert!(execution.contains(":8: if (i >= 0 && i <= 4)   // true\n"), "{said}");
    assert!(execution.lines().last().unwrap().contains("undefined: the index 4 lies outside"), "{said}");
    let place = object["places"].as_array().unwrap().iter().find(|it| it["line"] == 8).unwrap();
    assert_eq!(place["trace"]["events"].as_array().unwrap().last().unwrap()["kind"], "failure");
    std::fs::remove_file(path).unwrap();
}
