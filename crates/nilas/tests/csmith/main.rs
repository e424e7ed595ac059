//! Programs of csmith, with floats, built-ins and all else that it has, against gcc: the checksum that gcc's
//! program prints must be reachable for Nilas, and no other may be.
//!
//! `NILAS_CSMITH` is the number of programs, each in both data models; the other variables are those of the
//! generators' tests. For instance:
//!
//! ```sh
//! NILAS_CSMITH=200 NILAS_TABLE=table.txt cargo test --release -p nilas --test csmith
//! ```
#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs)]

#[path = "../../../nilas-c/tests/compiler/csmith.rs"]
#[allow(dead_code, reason = "shared with the front end's tests")]
mod csmith;
#[path = "../kit/mod.rs"]
mod kit;

use kit::nilas::{Answer, check};
use kit::program::Model;
use kit::tally::Tally;
use kit::{gcc, keep, number};

/// What csmith does not do unless asked.
const ALL: &[&str] = &["--float", "--builtins", "--inline-function", "--const-as-condition"];

#[test]
fn csmith_programs_agree_with_gcc() {
    let Some(headers) = csmith::headers() else {
        eprintln!("skipped: csmith and its headers are not installed");
        return;
    };
    let (count, first) = (number("NILAS_CSMITH", 5), number("NILAS_SEED", 1));
    let mut tally = Tally::default();
    let mut undefined = 0;
    for model in [Model::Lp64, Model::Ilp32] {
        if !gcc::available(model) {
            continue;
        }
        let group = format!("csmith, {model:?}");
        let (mut seed, mut made) = (first, 0);
        while made < count {
            seed += 1;
            let Some(text) = csmith::program_with(seed, ALL) else { continue };
            // Some programs do not end, and gcc refuses a few.
            let Ok(printed) = gcc::output(&text, model, &["-I", &headers]) else { continue };
            let Some(checksum) = csmith::checksum(&printed) else { continue };
            let agrees = csmith::checked(&text, checksum);
            let same = format!("== {checksum}U");
            let differs = agrees.replace(&same, &same.replace("==", "!="));
            let questions = [("agrees", agrees, Answer::Safe), ("differs", differs, Answer::Unsafe)];
            let mut answers = Vec::new();
            for (question, text, wrong) in questions {
                let answer = check(&text, model, &["-I", &headers]);
                let fault = answer == wrong || matches!(answer, Answer::Broken(_));
                answers.push((answer.clone(), question, text, fault));
                // What took too long once takes as long again.
                if !answer.decided() {
                    break;
                }
            }
            // Built-ins and conversions of floats are undefined for some arguments, which csmith does not
            // avoid.
            if answers.iter().any(|answer| answer.3)
                && gcc::undefined(&text, model, &["-I", &headers]).is_some()
            {
                undefined += 1;
                continue;
            }
            made += 1;
            tally.program(&group);
            for (answer, question, text, fault) in answers {
                let failure = fault.then(|| {
                    keep(&format!("csmith {seed} {model:?} {question}"), &text);
                    format!("csmith {seed} {model:?} {question}: {answer:?}")
                });
                tally.answer(&group, &answer, failure);
            }
        }
    }
    eprintln!("left out: {undefined} programs with undefined behaviour");
    tally.publish(
        "Programs of csmith against gcc: up to two questions a program, see crates/nilas/tests/csmith",
    );
    tally.assert(40);
}
