//! The embedded solver against `z3` and `cvc5`, on random scripts.
//!
//! Each script is text: our parser, simplifier and solver against theirs. Our models are evaluated on all
//! formulas in force, our cores are checked again. A disagreement is shrunk, saved to a file whose path is
//! printed, and fails the test. Solvers that are not on PATH are left out with a notice; theories that the
//! embedded solver does not decide are left out, and counted.
//!
//! `NILAS_DIFFERENTIAL` is the number of scripts, `NILAS_SEED` the number of the first, `NILAS_FAILURES` (1)
//! the number of failures after which it ends; failures that are worded alike count as one; `NILAS_PROOFS`
//! makes all scripts run with proofs on, instead of a quarter of them. The full run, with as many as the
//! project's goals ask for, is
//!
//! ```text
//! NILAS_DIFFERENTIAL=10000 cargo test --release -p nilas-smt --test differential -- --nocapture
//! ```

#![allow(clippy::unwrap_used, clippy::print_stderr, unreachable_pub, missing_docs)]

mod common;
#[path = "differential/expr.rs"]
mod expr;
#[path = "differential/generate.rs"]
mod generate;
#[path = "differential/run.rs"]
mod run;
#[path = "differential/shrink.rs"]
mod shrink;

use expr::Script;
use generate::{Generator, Theories};
use nilas_smt::pipe::{Found, Kind, discover};
use run::{Ours, Theirs, backend, ours, theirs};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Scripts that are run by one process of another solver.
const BATCH: usize = 25;
const DEFAULT_SCRIPTS: u64 = 200;
const DEFAULT_SEED: u64 = 1;

fn number(variable: &str, default: u64) -> u64 {
    match std::env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable}={text} is not a number")),
        Err(_) => default,
    }
}

#[derive(Default)]
struct Counts {
    scripts: u64,
    checks: u64,
    sat: u64,
    unsat: u64,
    /// Checks that we, or nobody else, answered in time.
    open: u64,
    /// Scripts that fail.
    wrong: u64,
    /// Checks that the others answer differently from each other.
    disputed: u64,
    unsupported: BTreeMap<String, u64>,
    refused: BTreeMap<&'static str, (u64, String)>,
}

/// What is wrong with our answers to a script, given those of others.
fn verdict(ours: &Ours, others: &[(&'static str, Theirs)]) -> Option<String> {
    match ours {
        Ours::Wrong(what) => Some(what.clone()),
        Ours::Unsupported(_) => None,
        Ours::Answers(answers) => answers.iter().enumerate().find_map(|(index, answer)| {
            let answer = (*answer)?;
            let opposed: Vec<&str> = opinions(others, index)
                .filter(|(_, opinion)| *opinion != answer)
                .map(|(name, _)| name)
                .collect();
            let supported = opinions(others, index).any(|(_, opinion)| opinion == answer);
            let word = if answer { "sat" } else { "unsat" };
            // Where the others differ from each other, one of them is wrong.
            (!opposed.is_empty() && !supported).then(|| {
                format!("check {}: we say {word}, {} the opposite", index + 1, opposed.join(" and "))
            })
        }),
    }
}

fn opinions<'a>(
    others: &'a [(&'static str, Theirs)],
    check: usize,
) -> impl Iterator<Item = (&'static str, bool)> + 'a {
    others.iter().filter_map(move |(name, answers)| {
        let word = answers.as_ref().ok()?.get(check).copied().flatten()?;
        Some((*name, word))
    })
}

/// Theories that the embedded solver decides, at least in an example.
fn available() -> Theories {
    let decides = |declaration: &str, formula: &str| {
        let text = format!("(set-logic ALL)\n{declaration}\n(assert {formula})\n(check-sat)\n");
        matches!(ours(&text, 0), Ours::Answers(_))
    };
    Theories {
        arrays: decides(
            "(declare-fun a () (Array (_ BitVec 4) (_ BitVec 4)))",
            "(= (select (store a #x1 #x2) #x3) #x4)",
        ),
        functions: decides("(declare-fun f ((_ BitVec 4)) (_ BitVec 4))", "(= (f #x1) #x2)"),
        floats: decides("(declare-fun f () (_ FloatingPoint 3 5))", "(fp.lt f (fp.add RNE f f))"),
    }
}

/// Shrinks a script that fails, and saves it; returns what to show.
fn report(seed: u64, script: &Script, what: &str, found: &[Found], folder: &Path) -> String {
    eprintln!("seed {seed}: {what}; shrinking");
    let judge = |script: &Script| {
        let text = script.text(true);
        let ours = ours(&text, seed);
        if let Ours::Wrong(what) = ours {
            return Some(what);
        }
        let others: Vec<_> = found
            .iter()
            .map(|found| (found.name(), theirs(found, std::slice::from_ref(&text), folder).remove(0)))
            .collect();
        if others.iter().any(|(_, answers)| answers.is_err()) {
            return None;
        }
        verdict(&ours, &others)
    };
    // A script must not turn from one kind of failure into another while it shrinks.
    let kind = kind(what);
    let small = shrink::shrink(script, &mut |candidate| {
        judge(candidate).is_some_and(|what| self::kind(&what) == kind)
    });
    let what = judge(&small).unwrap_or_else(|| what.to_owned());
    let path: PathBuf = std::env::temp_dir().join(format!("nilas-differential-{seed}.smt2"));
    let text = small.text(true);
    std::fs::write(&path, format!("; seed {seed}: {what}\n{text}")).unwrap();
    format!("seed {seed} on {}: {what}\nshrunk script, saved as {}:\n{text}", backend(seed), path.display())
}

/// Failures that are worded alike, but for numbers and terms.
fn kind(what: &str) -> String {
    let start = if what.contains("the model makes") { "the model makes" } else { what };
    start.chars().filter(|c| !c.is_ascii_digit()).collect()
}

#[test]
fn no_disagreement() {
    let found: Vec<Found> =
        discover().into_iter().filter(|found| matches!(found.kind, Kind::Z3 | Kind::Cvc5)).collect();
    for kind in [Kind::Z3, Kind::Cvc5] {
        match found.iter().find(|found| found.kind == kind) {
            Some(found) => eprintln!("against {} {}", found.name(), found.version),
            None => eprintln!("notice: {kind} is not on PATH and left out"),
        }
    }
    let (count, first) = (number("NILAS_DIFFERENTIAL", DEFAULT_SCRIPTS), number("NILAS_SEED", DEFAULT_SEED));
    let theories = available();
    eprintln!("{count} scripts from seed {first} on; bit-vectors and {theories:?}");
    let folder = std::env::temp_dir().join(format!("nilas-differential-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut counts = Counts::default();
    let (mut failures, mut kinds) = (Vec::new(), BTreeSet::new());
    let most = usize::try_from(number("NILAS_FAILURES", 1)).unwrap();
    let mut times: BTreeMap<&str, std::time::Duration> = BTreeMap::new();
    let seeds: Vec<u64> = (first..first + count).collect();
    for batch in seeds.chunks(BATCH) {
        let scripts: Vec<Script> =
            batch.iter().map(|&seed| Generator::new(seed, theories).script()).collect();
        let texts: Vec<String> = scripts.iter().map(|script| script.text(false)).collect();
        let mut others = Vec::new();
        for found in &found {
            let start = Instant::now();
            others.push((found.name(), theirs(found, &texts, &folder)));
            *times.entry(found.name()).or_default() += start.elapsed();
        }
        let start = Instant::now();
        for (index, (&seed, script)) in batch.iter().zip(&scripts).enumerate() {
            let answers = ours(&texts[index], seed);
            let theirs: Vec<_> =
                others.iter().map(|(name, results)| (*name, results[index].clone())).collect();
            if let Some(what) = verdict(&answers, &theirs) {
                counts.wrong += 1;
                if kinds.insert(kind(&what)) {
                    failures.push(report(seed, script, &what, &found, &folder));
                    eprintln!("{}", failures[failures.len() - 1]);
                    assert!(failures.len() < most, "{}", failures.join("\n"));
                }
            }
            counts.add(script, &answers, &theirs);
        }
        *times.entry("embedded").or_default() += start.elapsed();
    }
    eprintln!("time: {times:.1?}");
    std::fs::remove_dir_all(&folder).unwrap();
    counts.print();
    assert!(failures.is_empty(), "{} scripts fail\n{}", counts.wrong, failures.join("\n"));
    let refused: u64 = counts.refused.values().map(|(count, _)| count).sum();
    assert!(refused * 20 <= counts.scripts, "other solvers refuse too many of the scripts");
    assert!(
        found.is_empty() || count < 100 || counts.sat > count / 10 && counts.unsat > count / 10,
        "one answer is rare"
    );
}

impl Counts {
    fn add(&mut self, script: &Script, ours: &Ours, others: &[(&'static str, Theirs)]) {
        self.scripts += 1;
        for (name, answers) in others {
            if let Err(error) = answers {
                let entry = self.refused.entry(name).or_insert_with(|| (0, error.clone()));
                entry.0 += 1;
            }
        }
        match ours {
            Ours::Answers(answers) => {
                assert_eq!(answers.len(), script.checks(), "{}", script.text(false));
                for (index, answer) in answers.iter().enumerate() {
                    let opinions: Vec<bool> = opinions(others, index).map(|opinion| opinion.1).collect();
                    self.checks += 1;
                    self.disputed += u64::from(opinions.contains(&true) && opinions.contains(&false));
                    match answer {
                        Some(answer) if !opinions.is_empty() => {
                            *(if *answer { &mut self.sat } else { &mut self.unsat }) += 1;
                        }
                        _ => self.open += 1,
                    }
                }
            }
            Ours::Unsupported(what) => *self.unsupported.entry(what.clone()).or_default() += 1,
            Ours::Wrong(_) => {}
        }
    }

    fn print(&self) {
        let Counts { scripts, checks, sat, unsat, open, disputed, .. } = self;
        eprintln!(
            "{scripts} scripts, {checks} checks: {sat} sat and {unsat} unsat confirmed by others, {open} open, \
             {disputed} disputed among the others"
        );
        for (what, count) in &self.unsupported {
            eprintln!("{count} scripts not supported: {what}");
        }
        for (name, (count, error)) in &self.refused {
            eprintln!("{count} scripts refused by {name}, the first with {error}");
        }
    }
}
