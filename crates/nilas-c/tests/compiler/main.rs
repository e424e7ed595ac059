//! The meaning of C against a compiler: random programs, compiled by gcc and run, and the interpreter on the
//! lowered automaton, before and after passes.
//!
//! A program without inputs computes a checksum. gcc's program prints it; the text that Nilas lowers ends
//! with `if (checksum == …) reach_error();`, so reaching the error says that the execution got to the end
//! *and* computed the same. How many programs: `NILAS_PROGRAMS`; from which seed on: `NILAS_SEED`. With
//! `--nocapture` the tests print the table of `benchmarks/results/compiler.md`.
#![allow(clippy::unwrap_used, clippy::print_stderr, clippy::format_push_string, missing_docs)]

mod csmith;
mod expressions;
mod generator;
mod machine;
mod random;
mod stages;
mod statements;

use machine::Folder;
use nilas_c::LowerOptions;
use nilas_c::types::DataModel;
use stages::{Outcome, STAGES};
use std::collections::BTreeMap;

const MODELS: [DataModel; 2] = [DataModel::Ilp32, DataModel::Lp64];

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Results of one run.
#[derive(Default)]
struct Tally {
    agree: usize,
    unmodelled: BTreeMap<String, usize>,
    failures: Vec<String>,
    steps: usize,
    /// Programs that take too many steps to be followed to their end: a few are allowed, more would be loops
    /// that do not end.
    endless: usize,
}

impl Tally {
    /// Compares one program at every stage.
    fn compare(&mut self, title: &str, text: &str, options: &nilas_c::Options, checksum: &str) {
        let lowering = LowerOptions { recursion: 5, ..LowerOptions::default() };
        let (tree, lowered) = match stages::lowered(text, options, &lowering) {
            Ok(both) => both,
            Err(outcome) => return self.fail(title, "front end", &outcome, text),
        };
        for (stage, transform) in STAGES {
            let program = transform(&lowered.program);
            match stages::run(&lowered, &program, checksum, &tree) {
                Outcome::Error(steps) => self.steps += steps,
                Outcome::Unmodelled(construct) if *stage == "as lowered" => {
                    Self::keep(title, text);
                    *self.unmodelled.entry(construct).or_default() += 1;
                    return;
                }
                Outcome::Running if *stage == "as lowered" => {
                    Self::keep(title, text);
                    self.endless += 1;
                    return;
                }
                outcome => return self.fail(title, stage, &outcome, text),
            }
        }
        self.agree += 1;
    }

    fn keep(title: &str, text: &str) {
        if let Ok(folder) = std::env::var("NILAS_KEEP") {
            std::fs::write(format!("{folder}/{}.c", title.replace(' ', "-")), text).unwrap();
        }
    }

    fn fail(&mut self, title: &str, stage: &str, outcome: &Outcome, text: &str) {
        Self::keep(title, text);
        self.failures.push(format!("{title}, {stage}: {outcome:?}"));
    }

    fn report(&self, title: &str) {
        let unmodelled: usize = self.unmodelled.values().sum();
        eprintln!(
            "| {title} | {} | {unmodelled} | {} | {} |",
            self.agree,
            self.failures.len(),
            self.steps / self.agree.max(1) / STAGES.len()
        );
        for (construct, count) in &self.unmodelled {
            eprintln!("  unmodelled: {count} × {construct}");
        }
        if self.endless > 0 {
            eprintln!("  too long: {}", self.endless);
        }
        assert!(self.failures.is_empty(), "{title}\n{}", self.failures.join("\n"));
        assert!(self.endless <= 1 + self.agree / 100, "{title}: {} programs do not end", self.endless);
    }
}

/// What the programs at these places compute, by gcc and the machine.
fn checksums(programs: &[String], places: &[usize], model: DataModel) -> Result<Vec<(usize, u64)>, String> {
    let mut text = String::from("int printf(const char *, ...);\n");
    places.iter().for_each(|&place| text.push_str(&programs[place]));
    text.push_str("int main(void) {\n");
    for place in places {
        text.push_str(&format!("prog_{place}(); printf(\"%llu\\n\", chk_{place});\n"));
    }
    text.push_str("return 0; }\n");
    let folder = Folder::new();
    let (source, binary) = (folder.file("all.c"), folder.file("all"));
    std::fs::write(&source, &text).unwrap();
    machine::compile(&source, &binary, model, &[], None)?;
    let printed = machine::output(&binary, 20).ok_or("the programs do not end")?;
    Ok(places.iter().copied().zip(printed.lines().map(|line| line.parse().unwrap())).collect())
}

fn generated(model: DataModel) {
    if !machine::available(model) {
        return;
    }
    let (count, seed) = (number("NILAS_PROGRAMS", 30), number("NILAS_SEED", 1));
    let mut tally = Tally::default();
    let seeds: Vec<u64> = (seed..seed + count).collect();
    for batch in seeds.chunks(30) {
        let programs: Vec<String> =
            batch.iter().enumerate().map(|(place, &seed)| generator::program(place, seed)).collect();
        let places: Vec<usize> = (0..programs.len()).collect();
        let checksums = match checksums(&programs, &places, model) {
            Ok(checksums) => checksums,
            // One by one, without those that the compiler itself fails on.
            Err(_) => {
                places.iter().filter_map(|&place| checksums(&programs, &[place], model).ok()?.pop()).collect()
            }
        };
        assert!(checksums.len() * 10 > programs.len() * 9, "gcc refuses programs from seed {} on", batch[0]);
        for (place, checksum) in checksums {
            let program = &programs[place];
            let text = format!(
                "extern void reach_error(void);\n{program}\nint main(void) {{ prog_{place}(); if (chk_{place} == {checksum}ULL) reach_error(); return 0; }}\n"
            );
            let title = format!("{} seed {}", csmith::name(model), batch[place]);
            tally.compare(&title, &text, &stages::options(model), &format!("chk_{place}"));
        }
    }
    tally.report(&format!("own generator, {}", csmith::name(model)));
}

#[test]
fn generated_programs_mean_what_gcc_says_ilp32() {
    generated(DataModel::Ilp32);
}

#[test]
fn generated_programs_mean_what_gcc_says_lp64() {
    generated(DataModel::Lp64);
}

#[test]
fn csmith_programs_mean_what_gcc_says() {
    let Some(headers) = csmith::headers() else {
        eprintln!("skipped: csmith and its headers are not installed");
        return;
    };
    let (count, seed) = (number("NILAS_CSMITH", 8), number("NILAS_SEED", 1));
    for model in MODELS {
        if !machine::available(model) {
            continue;
        }
        let mut tally = Tally::default();
        let mut options = stages::options(model);
        options.preprocessor.include_dirs.push(headers.clone().into());
        for seed in seed..seed + count {
            let Some(text) = csmith::program(seed) else {
                eprintln!("skipped: csmith makes no program of seed {seed}");
                continue;
            };
            let folder = Folder::new();
            let (source, binary) = (folder.file("program.c"), folder.file("program"));
            std::fs::write(&source, &text).unwrap();
            if let Err(message) = machine::compile(&source, &binary, model, &["-I", &headers], None) {
                panic!("gcc refuses csmith's program {seed}:\n{message}");
            }
            // Some programs do not end.
            let Some(checksum) = machine::output(&binary, 2).and_then(|printed| csmith::checksum(&printed))
            else {
                continue;
            };
            let title = format!("csmith {} seed {seed}", csmith::name(model));
            tally.compare(&title, &csmith::checked(&text, checksum), &options, "crc32_context");
        }
        tally.report(&format!("csmith, {}", csmith::name(model)));
    }
}

/// Library functions, each with a few arguments.
#[test]
fn library_functions_mean_what_the_library_does() {
    let body = include_str!("library.c");
    let parts: Vec<&str> =
        body.lines().filter_map(|line| line.strip_prefix("static void ")?.strip_suffix("(void) {")).collect();
    for model in MODELS {
        if !machine::available(model) {
            continue;
        }
        let folder = Folder::new();
        let (source, binary) = (folder.file("library.c"), folder.file("library"));
        let mut printing = String::from("#include <stdio.h>\nint main(void) {\n");
        for part in &parts {
            printing.push_str(&format!("checksum = 0; {part}(); printf(\"%llu\\n\", checksum);\n"));
        }
        std::fs::write(&source, format!("{body}{printing}return 0; }}\n")).unwrap();
        if let Err(message) = machine::compile(&source, &binary, model, &["-frounding-math"], None) {
            panic!("{message}");
        }
        let printed = machine::output(&binary, 20).unwrap();
        let mut tally = Tally::default();
        for (part, checksum) in parts.iter().zip(printed.lines()) {
            let text = format!(
                "{body}extern void reach_error(void);\nint main(void) {{ {part}(); if (checksum == {checksum}ULL) reach_error(); return 0; }}\n"
            );
            let title = format!("library {part} {}", csmith::name(model));
            tally.compare(&title, &text, &stages::options(model), "checksum");
        }
        assert_eq!(tally.agree, parts.len(), "{:?}\n{:#?}", tally.unmodelled, tally.failures);
    }
}
