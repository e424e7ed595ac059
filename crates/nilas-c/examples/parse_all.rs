//! Parses and checks every C file of an index and prints how many were taken, and the failures by reason.
//!
//! `cargo run --release --example parse_all -- /work/shared/benchmarks/index.csv`
#![allow(clippy::print_stdout, reason = "an example may print")]

use nilas_c::types::DataModel;
use nilas_c::{Input, Options, parse_program};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

fn main() {
    let Some(index) = std::env::args().nth(1) else {
        println!("usage: parse_all INDEX.csv | FILE.c …");
        return;
    };
    let start = Instant::now();
    let mut tasks = Vec::new();
    if index.ends_with(".csv") {
        let text = std::fs::read_to_string(&index).unwrap_or_default();
        let root = Path::new(&index).parent().unwrap_or(Path::new("."));
        for line in text.lines().skip(1) {
            let mut columns = line.split(',');
            let path = columns.next().unwrap_or_default();
            let model = if columns.nth(2) == Some("LP64") { DataModel::Lp64 } else { DataModel::Ilp32 };
            tasks.push((root.join(path), model));
        }
    } else {
        let model = if std::env::var_os("ILP32").is_some() { DataModel::Ilp32 } else { DataModel::Lp64 };
        tasks.extend(std::env::args().skip(1).map(|path| (path.into(), model)));
    }
    let (mut taken, mut warnings, mut exprs) = (0, 0, 0);
    let mut reasons: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut slowest = (0.0, String::new());
    for (path, model) in &tasks {
        let begin = Instant::now();
        let options = Options { model: *model, ..Options::default() };
        match parse_program(&Input::Path(path.clone()), &options) {
            Ok(program) => {
                taken += 1;
                warnings += program.warnings.len();
                exprs += program.exprs.len();
            }
            Err(failure) => {
                let reason = failure.diagnostics.first().map(|d| d.message.clone()).unwrap_or_default();
                reasons.entry(reason).or_default().push(failure.render());
            }
        }
        let seconds = begin.elapsed().as_secs_f64();
        if seconds > slowest.0 {
            slowest = (seconds, path.display().to_string());
        }
    }
    for (reason, messages) in &reasons {
        println!("{} × {reason}", messages.len());
        for message in messages.iter().take(3) {
            println!("{message}");
        }
    }
    println!(
        "{taken} of {} files taken, {warnings} warnings, {exprs} expressions, {:.2} s (slowest {:.2} s: {})",
        tasks.len(),
        start.elapsed().as_secs_f64(),
        slowest.0,
        slowest.1
    );
}
