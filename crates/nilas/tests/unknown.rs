//! Functions of which nothing is known: what they may do, what an execution may rely on, and what the answer
//! says of it.
//!
//! The folder `unknown` has a program per file; its first line is the verdict.

#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn nilas(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_nilas")).args(args).output().unwrap()
}

fn code(verdict: &str) -> i32 {
    match verdict {
        "safe" => 0,
        "unsafe" => 10,
        "unknown" => 5,
        other => panic!("no verdict: {other}"),
    }
}

/// A file with this text that is gone with the value.
struct File(PathBuf);

impl File {
    fn new(name: &str, text: &str) -> File {
        let path = std::env::temp_dir().join(format!("nilas-unknown-{}-{name}", std::process::id()));
        std::fs::write(&path, text).unwrap();
        File(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[track_caller]
fn says(name: &str, text: &str, options: &[&str], verdict: &str, words: &str) {
    let file = File::new(&format!("{name}.c"), text);
    let output = nilas(&[&["check", "--timeout", "60"], options, &[file.path()]].concat());
    let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code(verdict)), "{text}: {said}");
    assert!(said.contains(words), "`{words}` in: {said}");
}

#[test]
fn programs_have_the_verdict_of_their_first_line() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/unknown");
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut wrong = Vec::new();
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        let verdict = text.lines().next().unwrap().trim_start_matches("// ");
        let output = nilas(&["check", "--timeout", "60", file.to_str().unwrap()]);
        if output.status.code() != Some(code(verdict)) {
            let said = String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().to_owned();
            wrong.push(format!("{}: {verdict} expected: {said}", file.display()));
        }
    }
    assert!(files.len() > 60, "{} programs", files.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const WRITES: &str = "void reach_error(void); void f(int *); int main(void) { int x = 0; f(&x); if (x) reach_error(); return 0; }";
const GLOBAL: &str =
    "void reach_error(void); void f(void); int g; int main(void) { f(); if (g) reach_error(); return 0; }";
const CALLS: &str =
    "void reach_error(void); void f(void); void h(void) { reach_error(); } int main(void) { f(); return 0; }";

/// The option says what unknown functions may do; an execution that needs their writes is never called real.
#[test]
fn the_option_says_what_they_may_do() {
    for (name, text, verdicts) in [
        ("writes", WRITES, ["safe", "unknown", "unknown"]),
        ("global", GLOBAL, ["safe", "safe", "unknown"]),
        ("static", &GLOBAL.replace("int g", "static int g"), ["safe", "safe", "safe"]),
        ("calls", CALLS, ["safe", "safe", "unknown"]),
        ("hidden", &CALLS.replace("void h(", "static void h("), ["safe", "safe", "safe"]),
        ("result", &WRITES.replace("void f", "int f").replace("f(&x);", "x = f(&x);"), ["unsafe"; 3]),
    ] {
        for (what, verdict) in ["nothing", "arguments", "anything"].into_iter().zip(verdicts) {
            let words = if verdict == "unknown" { "an execution to the error relies on" } else { verdict };
            says(&format!("{name}-{what}"), text, &["--unknown-functions", what], verdict, words);
        }
    }
    let output = nilas(&["check", "--unknown-functions", "everything", "x.c"]);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn the_reason_names_the_function() {
    says("reason-writes", WRITES, &[], "unknown", "relies on what `f` writes");
    let calls = CALLS.replace("void f(void);", "void f(void (*)(void));").replace("f();", "f(h);");
    says("reason-calls", &calls, &[], "unknown", "relies on which functions `f` calls back");
    let earlier = "void reach_error(void); void f(int *); int *g(void);
                   int main(void) { int x; f(&x); if (g() == &x) reach_error(); return 0; }";
    says(
        "reason-earlier",
        earlier,
        &[],
        "unknown",
        "relies on `g` giving back a pointer that it got earlier",
    );
}

/// What a verdict rests on is part of the answer, whatever the verdict.
#[test]
fn assumptions_are_part_of_the_answer() {
    let sentence = "assuming: `f` has no body: it returns any value, writes only what it was given";
    says("assumed-unknown", WRITES, &[], "unknown", sentence);
    // What is given nothing does nothing, as far as that is assumed.
    let idle = "assuming: `f` has no body: it returns any value and does nothing else";
    says("assumed-safe", GLOBAL, &[], "safe", idle);
    let constant = WRITES.replace("f(int *)", "f(const int *)");
    says(
        "assumed-const",
        &constant,
        &[],
        "safe",
        "assuming: functions without body do not write through pointers to `const`",
    );
    let allocates = "void *malloc(unsigned long); int main(void) { int *p = malloc(4); return p == 0; }";
    says("assumed-allocation", allocates, &[], "safe", "assuming: allocations never fail");
    let external = "void reach_error(void); extern int x; int main(void) { if (x) reach_error(); return 0; }";
    says(
        "assumed-extern",
        external,
        &[],
        "unsafe",
        "assuming: `x` is declared but not defined: it holds any value",
    );
    let file = File::new("json.c", GLOBAL);
    let output = nilas(&["check", "--json", file.path()]);
    let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let assumptions = said["assumptions"].as_array().unwrap();
    assert_eq!(assumptions.len(), 1, "{said:#}");
    assert_eq!(assumptions[0]["kind"], "unknown-function");
    assert!(assumptions[0]["text"].as_str().unwrap().starts_with("`f` has no body"), "{said:#}");
    assert_eq!(assumptions[0]["place"]["line"], 1);
    // Nothing is assumed of a program that has nothing to assume.
    let file = File::new("plain.c", "int main(void) { return 0; }");
    let output = nilas(&["check", "--json", file.path()]);
    let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(said["assumptions"].as_array().unwrap().len(), 0);
}

/// Evidence is about the program under the assumption of the one who asks: a proof may allow unknown
/// functions more, an execution may use less.
#[test]
fn saved_evidence_is_bound_to_the_assumption() {
    let round = |name: &str, text: &str, made: &str, asked: &str| {
        let (program, saved) = (File::new(&format!("{name}.c"), text), File::new(&format!("{name}.txt"), ""));
        nilas(&["check", "--unknown-functions", made, "--evidence", saved.path(), program.path()]);
        nilas(&["verify-evidence", "--unknown-functions", asked, program.path(), saved.path()])
    };
    let less = "int nd(void); void reach_error(void); void f(int *);
                int main(void) { int x = 0, n = nd(); f(&x); if (n == x) reach_error(); return 0; }";
    for (name, text, made, asked, expected) in [
        ("proof-same", GLOBAL, "arguments", "arguments", 0),
        ("proof-more", GLOBAL, "arguments", "nothing", 0),
        ("proof-less", WRITES, "nothing", "arguments", 2),
        ("run-same", less, "arguments", "arguments", 10),
        ("run-less", less, "nothing", "arguments", 10),
    ] {
        let output = round(name, text, made, asked);
        let said = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(expected), "{name}: {said}");
        if expected == 2 {
            assert!(said.contains(&format!("made with `--unknown-functions {made}`")), "{said}");
        }
    }
}
