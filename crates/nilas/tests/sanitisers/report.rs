//! gcc's sanitisers: their reports, and which kinds of `nilas run` a report is another name for.

use crate::kit::temporary;
use std::path::Path;
use std::process::{Command, Stdio};

/// Undefined behaviour ends the process instead of going on.
const SANITISE: &[&str] = &[
    "-fsanitize=address,undefined,float-cast-overflow,pointer-compare,pointer-subtract",
    "-fno-sanitize-recover=all",
];
/// Dead frames are looked at, and comparisons of pointers; leaks are not undefined.
const OPTIONS: &str = "detect_leaks=0:detect_stack_use_after_return=1:detect_invalid_pointer_pairs=2:allocator_may_return_null=1";

/// What came out of a program with sanitisers.
#[derive(Debug)]
pub(crate) enum Report {
    /// It ended with this status and printed this.
    Exit(Option<i32>, String),
    /// This was reported, without numbers.
    Found(&'static str),
    /// Anything else.
    #[allow(dead_code, reason = "told where the two disagree")]
    Other(String),
}

/// Whether gcc makes programs with sanitisers.
pub(crate) fn available() -> bool {
    let path = temporary("sanitised.c");
    std::fs::write(&path, "int main(void) { return N; }\n").unwrap();
    let report = sanitised(&path, "3");
    std::fs::remove_file(path).unwrap();
    matches!(report, Report::Exit(Some(3), _))
}

/// Runs a program with the macro `N`.
pub(crate) fn sanitised(path: &Path, value: &str) -> Report {
    let binary = temporary("sanitised");
    let compiled = Command::new("gcc")
        .args(["-std=gnu11", "-O0", "-w", "-ffp-contract=off"])
        .args(SANITISE)
        .arg(format!("-DN={value}"))
        .arg(path)
        .arg("-o")
        .arg(&binary)
        .arg("-lm")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    if !compiled.status.success() {
        return Report::Other(String::from_utf8_lossy(&compiled.stderr).into_owned());
    }
    let ran = Command::new("timeout")
        .args(["--kill-after=1", "20"])
        .arg(&binary)
        .env("ASAN_OPTIONS", OPTIONS)
        .stdin(Stdio::null())
        .output();
    std::fs::remove_file(&binary).unwrap();
    let ran = ran.unwrap();
    let said = String::from_utf8_lossy(&ran.stderr);
    let headline =
        said.lines().find(|line| line.contains("runtime error: ") || line.contains("AddressSanitizer: "));
    match headline {
        None => Report::Exit(ran.status.code(), String::from_utf8_lossy(&ran.stdout).into_owned()),
        Some(line) => match NAMES.iter().find(|(words, _)| line.contains(words)) {
            Some((words, _)) => Report::Found(words),
            None => Report::Other(line.to_owned()),
        },
    }
}

/// The kinds of `nilas run` that a report may mean.
pub(crate) fn names(report: &str) -> &'static [&'static str] {
    NAMES.iter().find(|(words, _)| *words == report).map_or(&[], |(_, kinds)| kinds)
}

const BOUNDS: &[&str] = &["out-of-bounds-read", "out-of-bounds-write"];
const NULL: &[&str] = &["null-dereference"];

/// Words of a report, and the kinds that it may mean; the first words that fit count.
const NAMES: &[(&str, &[&str])] = &[
    ("stack-buffer-overflow", BOUNDS),
    ("stack-buffer-underflow", BOUNDS),
    ("dynamic-stack-buffer-overflow", BOUNDS),
    ("heap-buffer-overflow", BOUNDS),
    ("global-buffer-overflow", BOUNDS),
    // A read that begins inside.
    ("unknown-crash", BOUNDS),
    ("out of bounds for type", &["index-out-of-array", "out-of-bounds-read", "out-of-bounds-write"]),
    ("heap-use-after-free", &["use-after-free"]),
    ("stack-use-after-scope", &["dead-object"]),
    ("stack-use-after-return", &["dead-object"]),
    ("attempting double-free", &["double-free"]),
    ("attempting free on address which was not malloc()-ed", &["invalid-free"]),
    ("memcpy-param-overlap", &["overlapping-copy"]),
    ("invalid-pointer-pair", &["pointer-comparison", "pointer-difference"]),
    ("load of null pointer", NULL),
    ("store to null pointer", NULL),
    ("null pointer of type", NULL),
    ("which is declared to never be null", NULL),
    ("SEGV on unknown address 0x000000000000", &["null-dereference", "call-of-no-function"]),
    // What must not be written lies in pages that cannot be.
    ("SEGV on unknown address", &["string-literal-write", "const-write"]),
    ("shift exponent", &["shift-too-far"]),
    ("left shift of", &["shift-overflow"]),
    ("division by zero", &["division-by-zero"]),
    ("cannot be represented in type", &["signed-overflow", "division-overflow"]),
    ("outside the range of representable values", &["float-to-int-overflow"]),
    ("misaligned address", &["misaligned-access"]),
    ("variable length array bound evaluates to non-positive value", &["array-length"]),
    ("execution reached an unreachable program point", &["unreachable-reached"]),
    ("which is not a valid value for type", &["trap-representation"]),
    ("which is not a valid argument", &["open-result"]),
];
