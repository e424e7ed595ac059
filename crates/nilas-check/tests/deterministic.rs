//! Engines that take turns by counted work: the same input gives the same answer, evidence and counters.

#![allow(clippy::unwrap_used)]

use nilas_check::{Options, Silent, Task, Text, check};
use nilas_engine::EngineRef;
use std::path::Path;

/// What is told of an example, without times.
fn told(name: &str) -> (String, Option<&'static str>, Option<String>, Vec<(String, Vec<(String, f64)>)>) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    let text = Text::Given { name: name.to_owned(), bytes: std::fs::read(path).unwrap() };
    let portfolio = ["run", "bmc", "k-ind", "ic3cfa", "tree-itp", "pred-abs"];
    let portfolio = portfolio.map(|name| name.parse::<EngineRef>().unwrap()).to_vec();
    let options = Options { deterministic: true, portfolio, ..Options::default() };
    let answer = check(&Task::Automaton(text), &options, &mut Silent).unwrap();
    let mut counters = answer.summary.statistics.clone();
    counters.retain(|(group, _)| group != "process");
    for (_, counters) in &mut counters {
        counters.retain(|(name, _)| !name.contains("seconds"));
    }
    (answer.verdict().to_owned(), answer.summary.engine, answer.evidence_file(), counters)
}

#[test]
fn examples_give_the_same_every_time() {
    let mut facts = 0.0;
    for name in
        ["jain1.cfa", "lock.cfa", "lock_bug.cfa", "havoc_sum.cfa", "mutual_counters.cfa", "parity.cfa"]
    {
        let first = told(name);
        assert_eq!(first, told(name), "{name}");
        let all = first.3.iter().flat_map(|(_, counters)| counters);
        facts += all.filter(|(name, _)| name == "facts published").map(|(_, count)| count).sum::<f64>();
    }
    assert!(facts > 0.0, "nothing was exchanged");
}
