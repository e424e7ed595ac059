//! The reference interpreter against gcc: programs of the generators and of csmith print the same, in both
//! data models.
//!
//! `NILAS_PROGRAMS` is the number of programs per generator, `NILAS_CSMITH` the number of programs of csmith
//! for each data model, `NILAS_SEED` the first seed, `NILAS_KEEP` a folder for programs that differ,
//! `NILAS_TABLE` a file that gets a line for each source of programs. For instance:
//!
//! ```sh
//! NILAS_PROGRAMS=34 NILAS_CSMITH=300 NILAS_TABLE=table.txt cargo test --release -p nilas --test run
//! ```
#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs)]

mod command;
#[path = "../../../nilas-c/tests/compiler/csmith.rs"]
#[allow(dead_code, reason = "shared with the front end's tests")]
mod csmith;
#[path = "../kit/mod.rs"]
mod kit;
// Not all families are of use here.
#[allow(dead_code)]
#[path = "../generators/programs/mod.rs"]
mod programs;

use kit::program::{Form, Model};
use kit::random::Random;
use kit::{gcc, keep, number};
use nilas_run::choice::Defaults;
use nilas_run::{End, Execution, Interpreter, Options, UndefinedKind};
use std::io::Write as _;

/// Runs a program; what it prints.
fn run(text: &str, model: Model, include: Option<&str>, steps: u64) -> Result<(Execution, String), String> {
    let model = match model {
        Model::Lp64 => nilas_c::types::DataModel::Lp64,
        Model::Ilp32 => nilas_c::types::DataModel::Ilp32,
    };
    let mut options = nilas_c::Options { model, ..nilas_c::Options::default() };
    options.preprocessor.include_dirs.extend(include.map(Into::into));
    let input = nilas_c::Input::Text { name: "test.c".to_owned(), text: text.as_bytes().to_vec() };
    let program = nilas_c::parse_program(&input, &options).map_err(|failure| failure.render())?;
    let mut output = Vec::new();
    let options = Options { steps, ..Options::default() };
    let execution = Interpreter::new(&program).run(&options, &mut Defaults, &mut output);
    Ok((execution, String::from_utf8_lossy(&output).into_owned()))
}

#[derive(Default)]
struct Counts {
    same: usize,
    slow: usize,
    undefined: usize,
    /// Programs with a result that GCC leaves open.
    open: usize,
    differs: Vec<String>,
}

impl Counts {
    /// Compares an execution with what gcc's program printed.
    fn compare(&mut self, title: &str, text: &str, model: Model, include: Option<&str>, printed: &str) {
        let more: Vec<&str> = include.iter().flat_map(|folder| ["-I", folder]).collect();
        match run(text, model, include, 200_000_000) {
            Ok((Execution { end: End::Exit(0), .. }, output)) if output == printed => self.same += 1,
            Ok((Execution { end: End::OutOfSteps, .. }, _)) => self.slow += 1,
            // `__builtin_ctz(0)` is any value, and gcc's program has another one.
            Ok((Execution { lenient: Some(passed), .. }, _)) if passed.kind == UndefinedKind::OpenResult => {
                self.open += 1;
                eprintln!("{title}: {}, {}", passed.kind, passed.sentence);
            }
            Ok((Execution { end: End::Undefined(undefined), .. }, _))
                if gcc::undefined(text, model, &more).is_some() =>
            {
                self.undefined += 1;
                eprintln!("{title}: {}, as gcc's sanitisers say", undefined.kind);
            }
            Ok((execution, _)) => {
                keep(title, text);
                self.differs.push(format!("{title}: {:?}", execution.end));
            }
            Err(refused) => {
                keep(title, text);
                self.differs.push(format!("{title}: {refused}"));
            }
        }
    }

    fn finish(&self, what: &str) {
        let Counts { same, slow, undefined, open, differs } = self;
        let line = format!(
            "{what}: {same} the same, {slow} too slow, {undefined} undefined by gcc's sanitisers, too, \
             {open} with an open result (`__builtin_clz(0)` or kin), {} differ\n",
            differs.len()
        );
        eprint!("{line}");
        if let Ok(path) = std::env::var("NILAS_TABLE") {
            let mut file = std::fs::OpenOptions::new().create(true).append(true).open(path).unwrap();
            file.write_all(line.as_bytes()).unwrap();
        }
        assert!(differs.is_empty(), "{}", differs.join("\n"));
    }
}

#[test]
fn generated_programs_print_the_same() {
    let mut counts = Counts::default();
    let (each, first) = (number("NILAS_PROGRAMS", 4), number("NILAS_SEED", 1));
    for model in [Model::Lp64, Model::Ilp32].into_iter().filter(|&model| gcc::available(model)) {
        for &(name, generate) in programs::GENERATORS {
            for seed in first..first + each {
                let text = generate(&mut Random::new(seed)).text(&Form::Print);
                let title = format!("{name} {seed} {model:?}");
                let printed =
                    gcc::output(&text, model, &[]).unwrap_or_else(|why| panic!("{title}: {why}\n{text}"));
                counts.compare(&title, &text, model, None, &printed);
            }
        }
    }
    counts.finish("generators");
}

/// What csmith does not do unless asked.
const ALL: &[&str] = &["--float", "--builtins", "--inline-function", "--const-as-condition"];

#[test]
fn csmith_programs_print_the_same() {
    let Some(headers) = csmith::headers() else {
        eprintln!("skipped: csmith and its headers are not installed");
        return;
    };
    let mut counts = Counts::default();
    let (count, first) = (number("NILAS_CSMITH", 4), number("NILAS_SEED", 1));
    for model in [Model::Lp64, Model::Ilp32].into_iter().filter(|&model| gcc::available(model)) {
        let (mut seed, mut made) = (first, 0);
        while made < count {
            seed += 1;
            let Some(text) = csmith::program_with(seed, ALL) else { continue };
            // Some programs do not end, and gcc refuses a few.
            let Ok(printed) = gcc::output(&text, model, &["-I", &headers]) else { continue };
            made += 1;
            counts.compare(&format!("csmith {seed} {model:?}"), &text, model, Some(&headers), &printed);
        }
    }
    counts.finish("csmith");
}
