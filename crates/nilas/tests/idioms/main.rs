//! Idioms of C: structs that hold themselves, containers, byte order, allocators, tables of functions,
//! variable arguments, library calls, in both data models. Each program has a condition that holds; gcc says
//! the same where it is there.
//!
//! A usual run asks one question about each idiom, another one in the other data model with every other
//! idiom; `NILAS_IDIOMS=1` asks all of them.
#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs)]

#[path = "../kit/mod.rs"]
mod kit;

use std::process::Command;

/// The least part that has to be decided, in percent.
const DECIDED: usize = 80;

#[test]
fn idioms_get_no_wrong_verdict() {
    let all = kit::number("NILAS_IDIOMS", 0) == 1;
    let (mut failures, mut asked, mut decided) = (Vec::new(), 0, 0);
    for (number, idiom) in kit::idioms::all().iter().enumerate() {
        for question in 0..4 {
            if !all && question != number % 4 {
                continue;
            }
            let (safe, model) = (question % 2 == 0, if question < 2 { "--32" } else { "--64" });
            let path = kit::temporary("idiom.c");
            std::fs::write(&path, idiom.program(safe)).unwrap();
            let output = Command::new(env!("CARGO_BIN_EXE_nilas"))
                .args(["check", "--timeout", "15", "--quiet", model])
                .arg(&path)
                .output()
                .unwrap();
            std::fs::remove_file(&path).unwrap();
            asked += 1;
            match (output.status.code(), safe) {
                (Some(0), true) | (Some(10), false) => decided += 1,
                (Some(5), _) => eprintln!("{number} {model} safe {safe}: unknown"),
                (code, _) => failures.push(format!(
                    "{number} {model} safe {safe}: exit {code:?}\n{}\n{}",
                    String::from_utf8_lossy(&output.stderr),
                    idiom.program(safe)
                )),
            }
        }
    }
    assert!(failures.is_empty(), "{} of {asked} fail:\n{}", failures.len(), failures.join("\n"));
    assert!(decided * 100 >= asked * DECIDED, "only {decided} of {asked} are decided");
}

/// The conditions hold as gcc reads them.
#[test]
fn idioms_hold() {
    for model in [kit::program::Model::Lp64, kit::program::Model::Ilp32] {
        if !kit::gcc::available(model) {
            continue;
        }
        for (number, idiom) in kit::idioms::all().iter().enumerate() {
            let ends = "\n#include <stdio.h>\nint __VERIFIER_nondet_int(void) { return 3; }\nvoid reach_error(void) { puts(\"reached\"); }\n";
            let printed = kit::gcc::output(&(idiom.program(false) + ends), model, &["-w"]);
            assert_eq!(printed.as_deref().map(str::trim), Ok("reached"), "idiom {number}");
        }
    }
}
