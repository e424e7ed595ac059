//! Generated programs against gcc: what gcc computes must be reachable for Nilas, and nothing else may be.
//!
//! Each generator aims at one thing that the lowering can get wrong (pointers to pointers, wrapped
//! allocators, floats through bits, …). A program ends with observed values; see `kit/program.rs` for the two
//! questions that Nilas is asked. Where an answer is wrong, gcc's sanitisers say whether the program was to
//! blame.
//!
//! `NILAS_PROGRAMS` is the number of programs per generator, `NILAS_SEED` the first seed, `NILAS_BINARY`
//! another binary than that of this build, `NILAS_ONLY` the name of one generator, `NILAS_KEEP` a folder for
//! programs that were not decided rightly, `NILAS_TABLE` a file for the table. For instance:
//!
//! ```sh
//! NILAS_PROGRAMS=150 NILAS_TABLE=table.txt cargo test --release -p nilas --test generators
//! ```
#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs)]

#[path = "../kit/mod.rs"]
mod kit;

mod programs;

use kit::nilas::{Answer, check};
use kit::program::{Form, Model, Program};
use kit::random::Random;
use kit::tally::Tally;
use kit::{gcc, keep, number};

fn models() -> Vec<Model> {
    [Model::Lp64, Model::Ilp32].into_iter().filter(|&model| gcc::available(model)).collect()
}

/// The programs that the environment asks for: title, generator's name, model and program.
fn generated(models: &[Model], each: u64) -> impl Iterator<Item = (String, &'static str, Model, Program)> {
    let (count, first) = (number("NILAS_PROGRAMS", each), number("NILAS_SEED", 1));
    let only = std::env::var("NILAS_ONLY").ok();
    programs::GENERATORS
        .iter()
        .filter(move |(name, _)| only.as_ref().is_none_or(|only| only == name))
        .flat_map(move |&(name, generate)| (first..first + count).map(move |seed| (name, generate, seed)))
        .map(|(name, generate, seed)| {
            let model = models[usize::try_from(seed).unwrap() % models.len()];
            (format!("{name} {seed} {model:?}"), name, model, generate(&mut Random::new(seed)))
        })
}

/// Asks both questions about a program.
fn compare(tally: &mut Tally, title: &str, name: &str, model: Model, program: &Program) {
    let print = program.text(&Form::Print);
    let values = match gcc::values(&print, model) {
        Ok(values) => values,
        Err(reason) => panic!("{title}: {reason}\n{print}"),
    };
    tally.program(name);
    for (question, text, safe) in program.questions(&values) {
        let wrong = if safe { Answer::Safe } else { Answer::Unsafe };
        let answer = check(&text, model, &[]);
        let fault = answer == wrong || matches!(answer, Answer::Broken(_));
        if fault || matches!(answer, Answer::Unknown(_)) {
            keep(&format!("{title} {question}"), &text);
        }
        let failure = fault.then(|| {
            keep(&format!("{title} print"), &print);
            match gcc::undefined(&print, model, &[]) {
                Some(undefined) => format!("{title}: the program itself is undefined: {undefined}"),
                None => format!("{title} {question}: {answer:?}"),
            }
        });
        tally.answer(name, &answer, failure);
    }
}

#[test]
fn generated_programs_agree_with_gcc() {
    let models = models();
    if models.is_empty() {
        return;
    }
    let mut tally = Tally::default();
    for (title, name, model, program) in generated(&models, 8) {
        compare(&mut tally, &title, name, model, &program);
    }
    tally.publish(
        "Generated programs against gcc: two questions a program, see crates/nilas/tests/generators",
    );
    tally.assert(50);
}

/// The cases of all families, in turn in the data models: a usual run asks about one case in four, and
/// `NILAS_PROGRAMS` is the number of times that each case is asked about, with other data.
#[test]
fn families_agree_with_gcc() {
    let models = models();
    if models.is_empty() {
        return;
    }
    let (turns, first) = (number("NILAS_PROGRAMS", 0), number("NILAS_SEED", 1));
    let mut tally = Tally::default();
    let only = std::env::var("NILAS_ONLY").ok();
    for &(name, count, make) in programs::FAMILIES {
        if only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        for turn in 0..turns.max(1) {
            for case in 0..count() {
                if turns == 0 && case % 4 != 0 {
                    continue;
                }
                let seed = first + turn * 1000 + u64::try_from(case).unwrap();
                let model = models[(case / 4 + case + usize::try_from(turn).unwrap()) % models.len()];
                let program = make(case, &mut Random::new(seed));
                compare(&mut tally, &format!("{name} {case} seed {seed} {model:?}"), name, model, &program);
            }
        }
    }
    tally.publish(
        "Families of programs against gcc: two questions a program, see crates/nilas/tests/generators",
    );
    tally.assert(50);
}

/// Whoever uses one feature at a time gets an answer.
#[test]
fn features_are_decided() {
    let models = models();
    if models.is_empty() {
        return;
    }
    let first = number("NILAS_SEED", 1);
    let mut failures = Vec::new();
    for number in 0..programs::features::decided() {
        let seed = first + u64::try_from(number).unwrap();
        let program = programs::features::feature(number, &mut Random::new(seed));
        let model = models[number % models.len()];
        let print = program.text(&Form::Print);
        let values = gcc::values(&print, model).unwrap_or_else(|reason| panic!("{reason}\n{print}"));
        for (question, text, safe) in program.questions(&values) {
            let right = if safe { Answer::Unsafe } else { Answer::Safe };
            let answer = check(&text, model, &[]);
            if answer != right {
                keep(&format!("feature {number} {question}"), &text);
                failures.push(format!("feature {number} {model:?} {question}: {answer:?}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The programs themselves are defined: a wrong answer is Nilas' fault.
#[test]
fn generated_programs_are_defined() {
    let models = models();
    let mut failures = Vec::new();
    for (title, _, model, program) in generated(&models, 2) {
        let text = program.text(&Form::Print);
        if let Some(undefined) = gcc::undefined(&text, model, &[]) {
            keep(&title, &text);
            failures.push(format!("{title}: {undefined}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
