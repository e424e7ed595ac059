//! Damaged programs: whatever bytes come in, Nilas returns.
//!
//! Programs are damaged at random (bytes deleted, doubled, replaced, words and operators exchanged) and read
//! with both data models. All of them are parsed and typed, some of what is left lowered and simplified, and
//! some of these checked. The test fails if anything panics (in whatever thread), takes much longer than its
//! limit, or is not well-formed. How many: `NILAS_MUTANTS_PARSED`, `NILAS_MUTANTS_LOWERED`,
//! `NILAS_MUTANTS_CHECKED`; from which number on, for long runs in pieces: `NILAS_MUTANTS_FROM`; which
//! programs: `NILAS_MUTATED` (see `seeds`). What was done is printed, and written to `NILAS_MUTANTS_OUT` if
//! that names a file.

#![allow(clippy::print_stderr, clippy::print_stdout)]

mod mutate;
mod seeds;

use mutate::mutant;
use nilas_c::types::DataModel;
use nilas_c::{Input, LowerOptions, Lowered, Options, lower_within, parse_program, tree};
use nilas_check::{Language, LimitOptions, Silent, Standing, Task, check};
use nilas_term::Budget;
use seeds::{Seed, seeds};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What parsing, and lowering with passes, may take each; the machine may be busy.
const LIMIT: Duration = Duration::from_secs(20);
/// What is granted beyond a limit.
const GRACE: Duration = Duration::from_secs(40);
/// Processor time of a check.
const CHECK: Duration = Duration::from_secs(4);
/// Megabytes that a check may hold.
const MEMORY: u64 = 2000;

/// Every panic of every thread, with its place.
fn panics() -> Arc<Mutex<Vec<String>>> {
    let panics = Arc::new(Mutex::new(Vec::new()));
    let told = Arc::clone(&panics);
    std::panic::set_hook(Box::new(move |info| {
        eprintln!("{info}");
        told.lock().unwrap_or_else(PoisonError::into_inner).push(info.to_string());
    }));
    panics
}

fn count(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// What was done.
#[derive(Default)]
struct Tally {
    parsed: u64,
    refused: u64,
    lowered: u64,
    interrupted: u64,
    checked: BTreeMap<&'static str, u64>,
    longest: BTreeMap<&'static str, Duration>,
}

impl Tally {
    fn time<T>(&mut self, what: &'static str, limit: Duration, shown: &str, run: impl FnOnce() -> T) -> T {
        let begin = Instant::now();
        let result = run();
        let longest = self.longest.entry(what).or_default();
        *longest = (*longest).max(begin.elapsed());
        assert!(begin.elapsed() < limit + GRACE, "too slow: {what} of {shown}");
        result
    }

    fn print(&self, seeds: &[Seed]) -> String {
        let mut text = String::new();
        let bytes: usize = seeds.iter().map(|seed| seed.text.len()).sum();
        let _ = writeln!(text, "programs: {} ({} KB)", seeds.len(), bytes / 1024);
        let _ =
            writeln!(text, "parsed and typed: {} (refused with a message: {})", self.parsed, self.refused);
        let _ = writeln!(text, "lowered: {} (limit reached: {})", self.lowered, self.interrupted);
        let checked: Vec<String> = self.checked.iter().map(|(word, n)| format!("{word} {n}")).collect();
        let _ = writeln!(text, "checked: {} ({})", self.checked.values().sum::<u64>(), checked.join(", "));
        for (what, longest) in &self.longest {
            let _ = writeln!(text, "longest {what}: {:.1} s", longest.as_secs_f64());
        }
        if let Some(peak) = peak() {
            let _ = writeln!(text, "peak of memory: {peak} MB");
        }
        text
    }
}

/// Megabytes that the process held at most.
fn peak() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kilobytes| kilobytes / 1024)
}

fn within(limit: Duration) -> Budget {
    Budget { deadline: Some(Instant::now() + limit), ..Budget::unlimited() }
}

fn parsed(tally: &mut Tally, text: &[u8], model: DataModel, shown: &str) -> Option<tree::Program> {
    let options = Options { model, budget: within(LIMIT), ..Options::default() };
    let input = Input::Text { name: "m.c".to_owned(), text: text.to_vec() };
    let result = tally.time("parse", LIMIT, shown, || parse_program(&input, &options));
    tally.parsed += 1;
    match result {
        Ok(tree) => Some(tree),
        Err(failure) => {
            tally.refused += 1;
            let messages = failure.render();
            assert!(messages.contains("error:"), "{shown}\n{messages}");
            assert!(!messages.contains("bug in Nilas"), "{shown}\n{messages}");
            None
        }
    }
}

fn lowered(tally: &mut Tally, tree: &tree::Program, shown: &str) {
    // Few edges: a damaged recursion may inline a lot before it is cut.
    let options = LowerOptions { edges: 20_000, ..LowerOptions::default() };
    let result = tally.time("lowering", LIMIT, shown, || lower_within(tree, &options, &within(LIMIT)));
    tally.lowered += 1;
    match result {
        Ok(Ok(lowered)) => tally.time("passes", LIMIT, shown, || passes(&lowered, shown)),
        Ok(Err(messages)) => {
            let bug = messages.iter().any(|message| message.message.contains("bug in Nilas"));
            assert!(!bug, "{shown}\n{messages:?}");
        }
        Err(_) => tally.interrupted += 1,
    }
}

fn passes(lowered: &Lowered, shown: &str) {
    if let Err(errors) = nilas_program::wellformed::check(&lowered.program) {
        panic!("{shown}\nnot well-formed: {}", errors[0].message);
    }
    let (blocks, _) = nilas_program::passes::large_blocks(&lowered.program);
    let small = nilas_program::passes::simplify(&lowered.program, &within(LIMIT));
    for program in [Some(&blocks), small.as_ref().ok().map(|small| &small.program)].into_iter().flatten() {
        if let Err(errors) = nilas_program::wellformed::check(program) {
            panic!("{shown}\nnot well-formed after passes: {}", errors[0].message);
        }
    }
}

fn checked(tally: &mut Tally, text: &[u8], narrow: bool, shown: &str) {
    let language = Language { narrow: Some(narrow), ..Language::default() };
    let task = Task::of_c_text("m.c", &String::from_utf8_lossy(text), language);
    let limits = LimitOptions { time: Some(LIMIT), processor_time: Some(CHECK), megabytes: Some(MEMORY) };
    let options = nilas_check::Options { limits, ..nilas_check::Options::default() };
    let answer = tally.time("check", LIMIT, shown, || check(&task, &options, &mut Silent));
    let word = match answer {
        Ok(answer) => {
            assert!(answer.standing() != Standing::Internal, "{shown}\n{:?}", answer.reason());
            answer.verdict()
        }
        Err(_) => "refused",
    };
    *tally.checked.entry(word).or_default() += 1;
}

#[test]
fn damaged_programs_end_in_messages() {
    let panics = panics();
    let most = [
        count("NILAS_MUTANTS_PARSED", 900),
        count("NILAS_MUTANTS_LOWERED", 300),
        count("NILAS_MUTANTS_CHECKED", 6),
    ];
    let first = count("NILAS_MUTANTS_FROM", 0);
    let seeds = seeds();
    let mut tally = Tally::default();
    let mut done = [0_u64; 2];
    let models = [(DataModel::Ilp32, true), (DataModel::Lp64, false)];
    for number in 0..most[0] {
        let seed = &seeds[usize::try_from(first + number).unwrap_or(0) % seeds.len()];
        let round = (first + number) / seeds.len() as u64;
        let (model, narrow) = models[usize::try_from(round % 2).unwrap_or(0)];
        let text = mutant(&seed.text, seed.whole, round);
        // Directives would start a compiler; that is another test.
        if nilas_c::preprocess::needs_preprocessing(&text) {
            continue;
        }
        let shown = match seed.text.len() > 10_000 {
            true => format!("{}, number {round}", seed.name),
            false => format!("{}, number {round}\n{}", seed.name, String::from_utf8_lossy(&text)),
        };
        if let Some(tree) = parsed(&mut tally, &text, model, &shown) {
            // Those that are lowered and checked lie all over the numbers.
            if done[0] * most[0] <= number * most[1] && done[0] < most[1] {
                done[0] += 1;
                lowered(&mut tally, &tree, &shown);
                if done[1] * most[0] <= number * most[2] && done[1] < most[2] {
                    done[1] += 1;
                    checked(&mut tally, &text, narrow, &shown);
                }
            }
        }
        let panics = panics.lock().unwrap_or_else(PoisonError::into_inner);
        assert!(panics.is_empty(), "{shown}\n{panics:?}");
        if number % 1000 == 999 {
            eprintln!("{} of {}\n{}", number + 1, most[0], tally.print(&seeds));
        }
    }
    let report = tally.print(&seeds);
    println!("{report}");
    if let Ok(path) = std::env::var("NILAS_MUTANTS_OUT") {
        assert!(std::fs::write(&path, &report).is_ok(), "cannot write {path}");
    }
    assert!(tally.lowered * 20 > most[1].min(tally.parsed), "too few programs are left:\n{report}");
}
