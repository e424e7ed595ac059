//! Writes the questions of the evidence checker as DIMACS files, so that others can answer them, too.
//!
//! ```sh
//! cargo run --release -p nilas --example questions -- [--64] [--engine E] [--timeout S] [--over S] --out DIR FILE.c …
//! ```
//!
//! `--over S` leaves out questions that took less.

#![allow(clippy::print_stdout, reason = "a program for people")]

use nilas_c::types::DataModel;
use nilas_engine::{EngineRef, Settings, Silent, Verdict, verify};
use nilas_evidence::{Account, Question, check_with};
use nilas_smt::Budget;
use std::cell::RefCell;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Duration, Instant};

struct Task {
    model: DataModel,
    engine: EngineRef,
    timeout: Duration,
    over: Duration,
    out: PathBuf,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut task = Task {
        model: DataModel::Ilp32,
        engine: "ic3cfa".parse()?,
        timeout: Duration::from_secs(10),
        over: Duration::ZERO,
        out: ".".into(),
    };
    let mut files: Vec<PathBuf> = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        match argument.as_str() {
            "--64" => task.model = DataModel::Lp64,
            "--engine" => task.engine = value().parse()?,
            "--timeout" => task.timeout = Duration::from_secs_f64(value().parse()?),
            "--over" => task.over = Duration::from_secs_f64(value().parse()?),
            "--out" => task.out = value().into(),
            _ => files.push(argument.into()),
        }
    }
    for file in files {
        println!("{}: {}", file.display(), questions(&file, &task));
    }
    Ok(())
}

/// What came of one file, in words.
fn questions(file: &Path, task: &Task) -> String {
    let options = nilas_c::Options { model: task.model, ..nilas_c::Options::default() };
    let Ok(tree) = nilas_c::parse_program(&nilas_c::Input::Path(file.to_owned()), &options) else {
        return "refused".into();
    };
    let Ok(lowered) = nilas_c::lower(&tree, &nilas_c::LowerOptions::default()) else {
        return "refused".into();
    };
    let budget = || Budget { deadline: Some(Instant::now() + task.timeout), ..Budget::default() };
    let report = verify(&lowered.program, task.engine, &Settings::default(), &budget(), &mut Silent);
    let Verdict::Safe(evidence) = report.verdict else {
        return "no proof".into();
    };
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let (out, over) = (task.out.clone(), task.over);
    let mut number = 0;
    let listener = move |question: Question| {
        number += 1;
        if question.time < over {
            return;
        }
        let variables = question.clauses.iter().flatten().map(|lit| lit.unsigned_abs()).max().unwrap_or(0);
        let mut text = format!("p cnf {variables} {}\n", question.clauses.len());
        for clause in &question.clauses {
            for lit in clause {
                let _ = write!(text, "{lit} ");
            }
            text.push_str("0\n");
        }
        let path = out.join(format!("{stem}-{number:04}.cnf"));
        if let Err(error) = std::fs::write(&path, text) {
            println!("cannot write `{}`: {error}", path.display());
        }
    };
    let mut account = Account { listener: Some(Rc::new(RefCell::new(listener))), ..Account::default() };
    let checked = check_with(&lowered.program, &evidence, &budget(), &mut account);
    let counts = account.counts;
    format!(
        "{}: {} questions, {} answered by {} steps of proofs, {} without a proof",
        checked.map_or_else(|why| why.to_string(), |_| "accepted".into()),
        counts.questions,
        counts.proved,
        counts.steps,
        counts.alone
    )
}
