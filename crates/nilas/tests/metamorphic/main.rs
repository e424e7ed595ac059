//! Metamorphic tests: a program is changed in a way that keeps its meaning, and the verdicts must agree.
//! *Unknown* agrees with everything.
//!
//! The programs are those of the generators (see `tests/generators`), those of `tests/soundness` and
//! `examples/c`. gcc says whether a changed program is still one; where it is not, the change does not apply.
//!
//! `NILAS_PAIRS` is the number of pairs, `NILAS_SEED` the seed, `NILAS_BINARY`, `NILAS_KEEP` and
//! `NILAS_TABLE` are as in the generators' tests. For instance:
//!
//! ```sh
//! NILAS_PAIRS=1000 NILAS_TABLE=table.txt cargo test --release -p nilas --test metamorphic
//! ```
#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs)]

#[path = "../kit/mod.rs"]
mod kit;
// Not all families are of use here.
#[allow(dead_code)]
#[path = "../generators/programs/mod.rs"]
mod programs;

mod calls;
mod expressions;
mod loops;
mod names;
mod order;
mod storage;
mod tokens;

use kit::nilas::{Answer, check};
use kit::program::{Form, Model};
use kit::random::Random;
use kit::tally::Tally;
use kit::{gcc, keep, number};
use std::path::Path;
use tokens::Tokens;

/// A change that keeps the meaning; false if there is nothing to change.
type Change = (&'static str, fn(&mut Tokens, &mut Random) -> bool);

const CHANGES: &[Change] = &[
    ("rename", names::rename),
    ("reorder declarations", order::reorder),
    ("call through pointers", calls::through_pointers),
    ("outline", calls::outline),
    ("wrap allocators", calls::wrap_allocators),
    ("detour of addresses", calls::detour),
    ("split expressions", expressions::split),
    ("pointers for arrays", expressions::pointers_for_arrays),
    ("globals to locals", storage::globals_to_locals),
    ("dead code", storage::dead_code),
    ("loop forms", loops::change),
];

const INPUTS: &str = "int __VERIFIER_nondet_int(void); unsigned char __VERIFIER_nondet_uchar(void); float __VERIFIER_nondet_float(void);";

/// A program to change: title, text and data model.
type Source = (String, String, Model);

/// Programs of files that have no options of their own, and whose names mean nothing to the linker.
fn files(folder: &str) -> Vec<Source> {
    let mut sources: Vec<Source> = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .map(|path| {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            // gcc does not have this header.
            let text = std::fs::read_to_string(path).unwrap().replace("#include <nilas.h>", INPUTS);
            (name, text, Model::Lp64)
        })
        .filter(|(_, text, _)| {
            !text.contains("// options:") && !text.contains("asm") && !text.contains("alias")
        })
        .collect();
    sources.sort();
    sources
}

/// The program of a generator, with one of the two questions.
fn generated(random: &mut Random, models: &[Model]) -> Option<Source> {
    let (name, generate) = *random.pick(programs::GENERATORS);
    let seed = random.next() % 100_000;
    let model = *random.pick(models);
    let program = generate(&mut Random::new(seed));
    let values = gcc::values(&program.text(&Form::Print), model).ok()?;
    let (form, question) = if random.chance(50) {
        (Form::Agrees(&values), "agrees")
    } else {
        (Form::Differs(&values), "differs")
    };
    Some((format!("{name} {seed} {model:?} {question}"), program.text(&form), model))
}

/// A changed program that gcc still takes, with the names of the changes: the first, and sometimes a second.
fn changed(text: &str, first: Change, random: &mut Random, model: Model) -> Option<(String, String)> {
    let mut names = vec![first.0];
    let mut tokens = Tokens::of(text);
    if !first.1(&mut tokens, random) {
        return None;
    }
    let (second, change) = random.pick(CHANGES);
    let mut next = tokens.clone();
    if random.chance(30) && *second != first.0 && change(&mut next, random) {
        names.push(*second);
        tokens = next;
    }
    let text = tokens.text();
    gcc::accepts(&text, model).then(|| (names.join(", "), text))
}

#[test]
fn changes_that_keep_the_meaning_keep_the_verdict() {
    let models: Vec<Model> =
        [Model::Lp64, Model::Ilp32].into_iter().filter(|&model| gcc::available(model)).collect();
    if models.is_empty() {
        return;
    }
    let (pairs, mut random) = (number("NILAS_PAIRS", 60), Random::new(number("NILAS_SEED", 1)));
    let written: Vec<Source> = [files("tests/soundness"), files("../../examples/c")].concat();
    let mut tally = Tally::default();
    let mut count = 0;
    while count < pairs {
        let source = if random.chance(50) {
            Some(random.pick(&written).clone())
        } else {
            generated(&mut random, &models)
        };
        let Some((title, text, model)) = source else { continue };
        let first = CHANGES[usize::try_from(count).unwrap() % CHANGES.len()];
        let Some((change, new)) = changed(&text, first, &mut random, model) else { continue };
        count += 1;
        let (before, after) = (check(&text, model, &[]), check(&new, model, &[]));
        let group = if change.contains(", ") { "two changes" } else { change.as_str() };
        let broken = matches!(after, Answer::Broken(_)) && !matches!(before, Answer::Broken(_));
        let wrong = (broken || !before.agrees(&after)).then(|| {
            keep(&format!("{title} before"), &text);
            keep(&format!("{title} after {change}"), &new);
            format!("{title}, {change}: {before:?}, then {after:?}")
        });
        tally.program(group);
        tally.answer(group, &before, None);
        tally.answer(group, &after, wrong);
    }
    tally.publish("Metamorphic pairs: two verdicts a pair, see crates/nilas/tests/metamorphic");
    tally.assert(40);
}
