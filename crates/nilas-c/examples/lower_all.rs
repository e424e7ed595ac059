//! Lowers every C file of an index (or the files given) and prints what became of them: sizes, unmodelled
//! constructs, refusals, time.
//!
//! `cargo run --release --example lower_all -- /work/shared/benchmarks/index.csv`
//! `cargo run --release --example lower_all -- FILE.c …` prints the automata, too (ILP32 if the variable is
//! set).
#![allow(clippy::print_stdout, reason = "an example may print")]

use nilas_c::types::DataModel;
use nilas_c::{Input, LowerOptions, Options, lower, parse_program};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

fn main() {
    let Some(index) = std::env::args().nth(1) else {
        println!("usage: lower_all INDEX.csv | FILE.c …");
        return;
    };
    let show = !index.ends_with(".csv");
    let verbose = std::env::var_os("VERBOSE").is_some();
    let mut tasks: Vec<(PathBuf, DataModel)> = Vec::new();
    if show {
        let model = if std::env::var_os("ILP32").is_some() { DataModel::Ilp32 } else { DataModel::Lp64 };
        tasks.extend(std::env::args().skip(1).map(|path| (path.into(), model)));
    } else {
        let text = std::fs::read_to_string(&index).unwrap_or_default();
        let root = Path::new(&index).parent().unwrap_or(Path::new("."));
        for line in text.lines().skip(1) {
            let mut columns = line.split(',');
            let path = columns.next().unwrap_or_default();
            let model = if columns.nth(2) == Some("LP64") { DataModel::Lp64 } else { DataModel::Ilp32 };
            tasks.push((root.join(path), model));
        }
    }
    let start = Instant::now();
    let (mut lowered_count, mut exact) = (0, 0);
    let (mut locations, mut edges, mut variables, mut instances) = (0, 0, 0, 0);
    let mut refused: BTreeMap<String, usize> = BTreeMap::new();
    let mut constructs: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut slowest: Vec<(f64, String)> = Vec::new();
    for (path, model) in &tasks {
        let options = Options { model: *model, ..Options::default() };
        let tree = match parse_program(&Input::Path(path.clone()), &options) {
            Ok(tree) => tree,
            Err(failure) => {
                let reason = failure.diagnostics.first().map(|d| d.message.clone()).unwrap_or_default();
                *refused.entry(format!("not parsed: {reason}")).or_default() += 1;
                continue;
            }
        };
        let begin = Instant::now();
        let lowered = match lower(&tree, &LowerOptions::default()) {
            Ok(lowered) => lowered,
            Err(diagnostics) => {
                let reason = diagnostics.first().map(|d| d.message.clone()).unwrap_or_default();
                println!("{}: {reason}", path.display());
                *refused.entry(reason).or_default() += 1;
                continue;
            }
        };
        let seconds = begin.elapsed().as_secs_f64();
        lowered_count += 1;
        let automaton = &lowered.program.automaton;
        if let Err(errors) = nilas_program::wellformed::check(&lowered.program) {
            println!("{}: not well-formed: {}", path.display(), errors[0].message);
        }
        let mut here: BTreeMap<&str, usize> = BTreeMap::new();
        for place in &lowered.places {
            *here.entry(&place.construct).or_default() += 1;
        }
        exact += usize::from(here.is_empty());
        for (construct, count) in &here {
            let entry = constructs.entry((*construct).to_owned()).or_default();
            *entry = (entry.0 + 1, entry.1 + count);
        }
        locations += automaton.locations.len();
        edges += automaton.edges.len();
        variables += automaton.variables.len();
        instances += lowered.instances;
        let sizes = format!(
            "{} ({} locations, {} edges, {} variables, {} instances, {} places)",
            path.display(),
            automaton.locations.len(),
            automaton.edges.len(),
            automaton.variables.len(),
            lowered.instances,
            lowered.places.len()
        );
        if verbose {
            println!("{sizes} {here:?}");
        }
        slowest.push((seconds, sizes));
        if show {
            println!("{}", nilas_program::print_program(&lowered.program));
            for assumption in &lowered.assumptions {
                println!("assuming: {}", assumption.text);
            }
            for place in &lowered.places {
                let at = tree.sources.locate(place.span);
                println!("{}:{}: unmodelled: {}", at.file, at.line, place.construct);
            }
        }
    }
    println!("{lowered_count} of {} lowered, {exact} without an unmodelled place", tasks.len());
    println!("{locations} locations, {edges} edges, {variables} variables, {instances} instances");
    for (reason, count) in &refused {
        println!("refused {count} × {reason}");
    }
    let mut constructs: Vec<_> = constructs.into_iter().collect();
    constructs.sort_by_key(|(_, (files, _))| std::cmp::Reverse(*files));
    for (construct, (files, places)) in constructs {
        println!("unmodelled in {files} files ({places} places): {construct}");
    }
    slowest.sort_by(|a, b| b.0.total_cmp(&a.0));
    println!("{:.1} s with parsing; slowest:", start.elapsed().as_secs_f64());
    for (seconds, sizes) in slowest.iter().take(5) {
        println!("  {seconds:.2} s {sizes}");
    }
}
