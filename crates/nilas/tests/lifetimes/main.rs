//! Memory that comes to life again holds any value, or zero where it is cleared: never what was there before.
#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs)]

#[path = "../kit/mod.rs"]
mod kit;
mod programs;

use kit::nilas::{Answer, check};
use kit::program::Model;
use kit::tally::Tally;
use programs::Wrong;

#[test]
fn memory_forgets_its_life_before() {
    let mut tally = Tally::default();
    for (name, text, wrong) in programs::programs() {
        tally.program(&name);
        let answer = check(&text, Model::Lp64, &[]);
        let fault = match wrong {
            Wrong::Safe => answer == Answer::Safe,
            Wrong::Unsafe => answer == Answer::Unsafe,
        } || matches!(answer, Answer::Broken(_));
        tally.answer(&name, &answer, fault.then(|| format!("{name}: {answer:?}\n{text}")));
    }
    tally.assert(50);
}
