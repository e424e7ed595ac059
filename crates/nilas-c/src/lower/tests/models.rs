//! Functions of the library, against what gcc and the C library make of them.
//!
//! The programs in `models/` are lists of checks. Compiled by gcc, all of them hold; so they do in every
//! execution of the lowered program. With one of them turned round, the error is reached.

use super::{Outcome, lowered, random_run};
use crate::types::DataModel;
use std::io::Write as _;
use std::process::{Command, Stdio};

const HEAD: &str = "#define _GNU_SOURCE
void reach_error(void);
#define CHECK(condition) if ((__COUNTER__ == WRONG) == !!(condition)) reach_error();
";

const PROGRAMS: &[(&str, &str)] = &[
    ("atomic", include_str!("models/atomic.c")),
    ("bits", include_str!("models/bits.c")),
    ("ctype", include_str!("models/ctype.c")),
    ("input", include_str!("models/input.c")),
    ("memory", include_str!("models/memory.c")),
    ("number", include_str!("models/number.c")),
    ("pointer", include_str!("models/pointer.c")),
    ("sort", include_str!("models/sort.c")),
    ("sort_pointers", include_str!("models/sort_pointers.c")),
    ("string", include_str!("models/string.c")),
    ("wide", include_str!("models/wide.c")),
];

/// Different values for what is open.
const TRIES: u64 = 12;
const MOST_TRIES: u64 = 2000;

fn program(text: &str, wrong: i64) -> String {
    format!("{}{text}", HEAD.replace("WRONG", &wrong.to_string()))
}

/// Whether the program runs to its end when gcc compiles it; `None` without a gcc.
fn ends_in_gcc(name: &str, text: &str) -> Option<bool> {
    let directory = std::env::temp_dir().join(format!("nilas-models-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&directory).ok()?;
    let binary = directory.join("program");
    let mut child = Command::new("gcc")
        .args(["-std=gnu11", "-w", "-fwrapv", "-O0", "-m64", "-x", "c", "-", "-o"])
        .arg(&binary)
        .stdin(Stdio::piped())
        .spawn()
        .ok()?;
    let text = format!("{text}\nvoid reach_error(void) {{ __builtin_trap(); }}\n");
    child.stdin.take()?.write_all(text.as_bytes()).ok()?;
    assert!(child.wait().unwrap().success(), "gcc refuses the program\n{text}");
    let status = Command::new(&binary).stdin(Stdio::null()).stdout(Stdio::null()).status().unwrap();
    std::fs::remove_dir_all(&directory).unwrap();
    Some(status.success())
}

#[test]
fn functions_do_what_the_library_does() {
    for (name, text) in PROGRAMS {
        let Some(ends) = ends_in_gcc(name, &program(text, -1)) else { return };
        assert!(ends, "{name}: a check fails in gcc");
        let right = lowered(&program(text, -1), DataModel::Lp64);
        for seed in 0..TRIES {
            let outcome = random_run(&right, seed);
            assert!(matches!(outcome, Outcome::End | Outcome::Running), "{name}: {outcome:?}, seed {seed}");
        }
        for wrong in 0..text.matches("CHECK(").count() {
            let turned = lowered(&program(text, wrong as i64), DataModel::Lp64);
            let fails = (0..MOST_TRIES).any(|seed| random_run(&turned, seed) == Outcome::Error);
            assert!(fails, "{name}: check {wrong} does not matter");
        }
    }
}
