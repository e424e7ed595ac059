//! Many checks in one process: no thread is left, and memory comes back.
//!
//! A test binary of its own, and one test, so that nobody else starts threads or takes memory.

#![allow(clippy::unwrap_used)]

use nilas_check::{Language, LimitOptions, Options, Silent, Task, Text, check, process};
use std::time::Duration;

const UNSAFE: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int(), y = 0;
    for (int i = 0; i < 5; i++) { if (x > i) y += 3; }
    if (y == 12) reach_error();
    return 0;
}
";

const SAFE: &str = "extern void reach_error(void); extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint(), x = 0;
    while (n > 0) { n--; x += 2; }
    if (x % 2) reach_error();
    return 0;
}
";

/// With a directive, so that a compiler runs.
const PREPROCESSED: &str = "#define LIMIT 3
extern void reach_error(void);
int main(void) { int a[LIMIT] = {1, 2, 3}; if (a[0] + a[LIMIT - 1] != 4) reach_error(); return 0; }
";

/// No engine decides it in the time that it gets.
const HARD: &str = "cfa prime var x, y : bv64 entry a error e
a -> b { havoc x; havoc y; assume x >u 1 && y >u 1 }
b -> b { x := x * y + 12345; y := y + x * x }
b -> e { assume x * y == 1000000016000000063 && x != y && x <u 4294967296 && y <u 4294967296 }
";

fn c(name: &str, text: &str) -> Task {
    Task::of_c_text(name, text, Language::default())
}

/// The programs with the verdicts that they have, or may have.
fn tasks() -> Vec<(Task, Options, &'static [&'static str])> {
    let hard = Task::Automaton(Text::Given { name: "hard.cfa".into(), bytes: HARD.into() });
    let limits = LimitOptions { time: Some(Duration::from_millis(50)), ..LimitOptions::default() };
    let short = Options { limits, ..Options::default() };
    vec![
        (c("unsafe.c", UNSAFE), Options::default(), &["unsafe"]),
        (c("safe.c", SAFE), Options::default(), &["safe"]),
        (c("preprocessed.c", PREPROCESSED), Options::default(), &["safe"]),
        (hard, short, &["unknown", "unsafe"]),
    ]
}

fn run(count: usize) {
    let tasks = tasks();
    for (task, options, expected) in tasks.iter().cycle().take(count) {
        let answer = check(task, options, &mut Silent).unwrap();
        assert!(expected.contains(&answer.verdict()), "{}: {:?}", task.name(), answer.summary.conclusion);
    }
}

/// The names of the threads of this process.
fn threads() -> Vec<String> {
    let Ok(tasks) = std::fs::read_dir("/proc/self/task") else { return Vec::new() };
    let name = |entry: std::fs::DirEntry| std::fs::read_to_string(entry.path().join("comm")).ok();
    tasks.flatten().filter_map(name).map(|name| name.trim().to_owned()).collect()
}

/// The same number of threads as before: what was joined may take a moment to leave the system's list.
fn assert_threads(before: usize) {
    for _ in 0..200 {
        if threads().len() <= before {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("{before} threads before, now {:?}", threads());
}

#[test]
fn two_hundred_checks_leave_nothing_behind() {
    let before = threads().len();
    run(50);
    assert_threads(before);
    let after_50 = process::resident_bytes();
    run(50);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| run(50));
        }
    });
    assert_threads(before);
    let after_200 = process::resident_bytes();
    if let (Some(first), Some(last)) = (after_50, after_200) {
        // Allocators keep some of what they were given back, more of it for several threads.
        assert!(last < first + 300_000_000, "resident: {first} bytes after 50 checks, {last} after 200");
    }
}
