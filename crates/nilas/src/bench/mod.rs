//! `nilas bench`: a checker on every program of an index, measured.
//!
//! Each task runs in a process of its own under hard limits ([`process`]); what it answers is compared with
//! what the index says ([`outcome`]). Rows are written as they come ([`results`]), so a run that was stopped
//! goes on where it was. Which task runs when has no influence on what is told in the end: tables and files
//! follow the order of the index. With a [`grid`], several settings run over the same tasks ([`schedule`])
//! and are told side by side ([`ablation`]).

mod ablation;
mod compare;
mod csv;
mod definitions;
mod filter;
mod grid;
mod html;
mod index;
mod meter;
mod outcome;
mod plot;
mod process;
mod progress;
mod published;
mod ratio;
mod results;
mod schedule;
mod table;
mod task;
mod tool;
mod warden;

pub(crate) use filter::Shard;
pub(crate) use tool::Sign;

use crate::cli::BenchArgs;
use crate::exit::Exit;
use ablation::Ablation;
use compare::Comparison;
use filter::Filter;
use grid::Grid;
use index::Index;
use nilas_check::Refusal;
use process::Limits;
use results::{Results, Writer};
use schedule::Lane;
use serde_json::{Value as Json, json};
use std::path::{Path, PathBuf};
use task::Checker;
use tool::Tool;

pub(crate) fn run(args: &BenchArgs) -> Result<Exit, Refusal> {
    if let Some([first, second]) = args.compare.as_deref() {
        return compare_files(args, first, second);
    }
    if args.svg.is_some() && !has_grid(args) {
        return Err(usage("--svg draws runs against each other: it needs --compare, --grid or --setting"));
    }
    let Some(path) = &args.index else {
        return Err(usage("an index is needed: nilas bench INDEX.csv"));
    };
    let index = Index::read(path)?;
    let folder = args.dir.clone().unwrap_or_else(|| path.parent().unwrap_or(Path::new("")).to_owned());
    let mut tasks =
        Filter::parse(&args.filter).and_then(|filter| filter.select(&index)).map_err(|why| usage(&why))?;
    if let Some(shard) = args.shard {
        tasks = shard.select(tasks);
    }
    if tasks.is_empty() {
        return Err(usage("no task is left by the filter"));
    }
    if !tasks.iter().any(|task| folder.join(&task.path).is_file()) {
        let (count, folder) = (tasks.len(), folder.display());
        return Err(Refusal::new(format!(
            "nilas: none of the {count} tasks is in `{folder}`; name their folder with --dir"
        )));
    }
    if !meter::available() {
        return Err(Refusal::new("nilas: processes can only be measured where there is /proc, as on Linux"));
    }
    let limits = Limits::new(args.timeout, args.wall_timeout, args.memory_limit);
    let command = command_line();
    let grid = grid::read(args.grid.as_deref(), &args.setting)?;
    let plots = grid.plots.clone();
    let mut lanes = lanes(args, grid, limits, &command)?;
    let rows = schedule::run_all(args, &mut lanes, limits, &folder, &tasks)?;
    let mut runs = Vec::new();
    for (lane, rows) in lanes.into_iter().zip(rows) {
        if let Some(writer) = lane.writer {
            writer.finish(&index.tasks)?;
        }
        runs.push(Results { settings: lane.settings, command: command.clone(), rows });
    }
    match &*runs {
        [results] if !has_grid(args) => {
            if let Some(path) = &args.html {
                results::replace(path, &html::report(results))?;
            }
            print_results(args, results);
        }
        runs => {
            let ablation = Ablation::new(runs);
            if let Some(path) = &args.svg {
                results::replace(path, &ablation.svg(&plots))?;
            }
            if let Some(path) = &args.html {
                results::replace(path, &ablation.html())?;
            }
            let told =
                if args.json { format!("{:#}\n", ablation.json()) } else { ablation.text(!args.quiet) };
            crate::print(&told);
        }
    }
    if index.other_properties > 0 && !args.quiet && !args.json {
        crate::print(&format!(
            "left out, because they ask for another property than unreach-call: {}\n",
            index.other_properties
        ));
    }
    // What is wrong must not pass unseen where nobody reads the table.
    let wrong = runs.iter().flat_map(|run| &run.rows).any(|row| row.correct() == Some(false));
    Ok(if wrong { Exit::Internal } else { Exit::Safe })
}

/// Two results files instead of a run.
fn compare_files(args: &BenchArgs, first: &Path, second: &Path) -> Result<Exit, Refusal> {
    let (a, b) = (published::read(first)?, published::read(second)?);
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    for out in [&args.out, &args.html, &args.svg].into_iter().flatten() {
        if [first, second].iter().any(|&input| real(input).is_some() && real(input) == real(out)) {
            return Err(usage(&format!("`{}` is compared, nothing can be written to it", out.display())));
        }
    }
    let names = [first, second].map(|path| path.display().to_string());
    let comparison = Comparison::new(&a, &b, [&names[0], &names[1]]);
    if let Some(path) = &args.html {
        results::replace(path, &comparison.html())?;
    }
    if let Some(path) = &args.svg {
        results::replace(path, &comparison.svg())?;
    }
    if let Some(path) = &args.out {
        results::replace(path, &comparison.csv())?;
    }
    let told = if args.json { format!("{:#}\n", comparison.json()) } else { comparison.text() };
    crate::print(&told);
    Ok(Exit::Safe)
}

fn usage(message: &str) -> Refusal {
    Refusal::usage(format!("nilas: {message}"))
}

fn has_grid(args: &BenchArgs) -> bool {
    args.grid.is_some() || !args.setting.is_empty()
}

/// Who runs: one checker, or Nilas under each setting of a grid. Everything that can be wrong with them is
/// told here.
fn lanes(args: &BenchArgs, grid: Grid, limits: Limits, command: &str) -> Result<Vec<Lane>, Refusal> {
    let lane = |name: &str, checker: Checker| {
        let settings = settings(&checker, limits, name)?;
        let out = args.out.as_ref().map(|out| out_of(out, name));
        let writer = out.map(|path| Writer::open(&path, &settings, command)).transpose()?;
        Ok(Lane { name: name.to_owned(), checker, settings, writer })
    };
    if let Some(command) = &args.tool {
        let tool = Tool::new(command, &args.tool_safe, &args.tool_unsafe).map_err(|why| usage(&why))?;
        return Ok(vec![lane("", Checker::Tool(tool))?]);
    }
    let program = task::own_program()
        .map_err(|error| Refusal::new(format!("nilas: cannot find the own program: {error}")))?;
    let mut checkers = Vec::new();
    let plain = (String::new(), Vec::new());
    let settings = grid.settings.into_iter().map(|setting| (setting.name, setting.options));
    let settings: Vec<_> = if has_grid(args) { settings.collect() } else { vec![plain] };
    for (name, options) in settings {
        let mut extra = args.extra.clone();
        extra.extend(options);
        let engine = args.engine.map(|engine| format!("--engine={}", engine.name()));
        let unknown = args.unknown_functions.map(|what| format!("--unknown-functions={}", what.name()));
        let given: Vec<String> = engine.into_iter().chain(unknown).chain(extra.clone()).collect();
        let engine = grid::understand(&given)?.engine;
        checkers.push((name, Checker::Nilas { program: program.clone(), engine, options: given }));
    }
    checkers.into_iter().map(|(name, checker)| lane(&name, checker)).collect()
}

/// The results file of a setting: `results.NAME.csv` beside `results.csv`.
fn out_of(out: &Path, name: &str) -> PathBuf {
    let stem = out.file_stem().unwrap_or_default().to_string_lossy();
    match (name, out.extension()) {
        ("", _) => out.to_owned(),
        (_, Some(extension)) => out.with_file_name(format!("{stem}.{name}.{}", extension.to_string_lossy())),
        (_, None) => out.with_file_name(format!("{stem}.{name}")),
    }
}

/// What a verdict or a time can depend on. Rows of other settings are never mixed.
fn settings(checker: &Checker, limits: Limits, name: &str) -> Result<Json, Refusal> {
    let mut settings =
        json!({ "timeout": limits.cpu_s, "wall_timeout": limits.wall_s, "memory_limit": limits.memory_mb });
    if !name.is_empty() {
        settings["setting"] = json!(name);
    }
    match checker {
        Checker::Nilas { program, engine, options } => {
            settings["version"] = json!(env!("CARGO_PKG_VERSION"));
            settings["build"] = json!(fingerprint(program)?);
            settings["engine"] = json!(engine.map_or("all", |engine| engine.name()));
            settings["options"] = json!(options);
        }
        Checker::Tool(tool) => {
            settings["tool"] = json!(tool.command);
            settings["signs"] = json!(tool.signs());
        }
    }
    Ok(settings)
}

/// Tells builds of the same version apart: the FNV-1a hash of the program.
fn fingerprint(program: &Path) -> Result<String, Refusal> {
    let bytes = nilas_check::read_bytes(program)?;
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    });
    Ok(format!("{hash:016x}"))
}

/// How this process was called, in one line.
fn command_line() -> String {
    let words = std::env::args().map(|word| {
        let plain =
            !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "-_./=,:+".contains(c));
        if plain { word } else { format!("'{}'", word.replace('\'', r"'\''").replace('\n', " ")) }
    });
    words.collect::<Vec<_>>().join(" ")
}

fn print_results(args: &BenchArgs, results: &Results) {
    let summary = table::Summary::of(&results.rows, results.timeout_s());
    if args.json {
        let mut object = summary.json();
        object["settings"] = results.settings.clone();
        object["command"] = json!(results.command);
        crate::print(&format!("{object:#}\n"));
        return;
    }
    crate::print(&table::align(&summary.cells(), true));
    if !args.quiet {
        crate::print(&table::remarks(&results.rows));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_setting_has_a_file() {
        let file = |out: &str, name: &str| out_of(Path::new(out), name).display().to_string();
        assert_eq!(file("r/all.csv", ""), "r/all.csv");
        assert_eq!(file("r/all.csv", "old-1.2"), "r/all.old-1.2.csv");
        assert_eq!(file("all", "old"), "all.old");
    }
}
