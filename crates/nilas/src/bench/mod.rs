//! `nilas bench`: a checker on every program of an index, measured.
//!
//! Each task runs in a process of its own under hard limits ([`process`]); what it answers is compared with what the index says
//! ([`outcome`]). Rows are written as they come ([`results`]), so a run that was stopped goes on where it was. Which task runs when has no
//! influence on what is told in the end: tables and files follow the order of the index.

mod compare;
mod csv;
mod filter;
mod html;
mod index;
mod meter;
mod outcome;
mod plot;
mod process;
mod progress;
mod results;
mod table;
mod task;
mod tool;
mod warden;

pub(crate) use filter::Shard;
pub(crate) use tool::Sign;

use crate::cli::BenchArgs;
use crate::exit::Exit;
use crate::input::Refusal;
use compare::Comparison;
use filter::Filter;
use index::{Index, Task};
use process::Limits;
use progress::Progress;
use results::{Results, Row, Writer};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use task::Checker;
use tool::Tool;
use warden::Warden;

pub(crate) fn run(args: &BenchArgs) -> Result<Exit, Refusal> {
    if let Some([first, second]) = args.compare.as_deref() {
        return compare_files(args, first, second);
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
    let checker = checker(args)?;
    let limits = Limits::new(args.timeout, args.wall_timeout, args.memory_limit);
    let settings = settings(&checker, limits)?;
    let command = command_line();
    let mut writer = args.out.as_ref().map(|path| Writer::open(path, &settings, &command)).transpose()?;
    let rows = run_all(args, &checker, limits, &folder, &tasks, writer.as_mut())?;
    if let Some(writer) = writer {
        writer.finish(&index.tasks)?;
    }
    let results = Results { settings, command, rows };
    if let Some(path) = &args.html {
        results::replace(path, &html::report(&results))?;
    }
    print_results(args, &results, index.other_properties);
    Ok(Exit::Safe)
}

/// Two results files instead of a run.
fn compare_files(args: &BenchArgs, first: &Path, second: &Path) -> Result<Exit, Refusal> {
    let (a, b) = (Results::read(first)?, Results::read(second)?);
    let names = [first, second].map(|path| path.display().to_string());
    let comparison = Comparison::new(&a, &b, [&names[0], &names[1]]);
    if let Some(path) = &args.html {
        results::replace(path, &comparison.html())?;
    }
    let told = if args.json { format!("{:#}\n", comparison.json()) } else { comparison.text() };
    crate::print(&told);
    Ok(Exit::Safe)
}

fn usage(message: &str) -> Refusal {
    Refusal { message: format!("nilas: {message}"), exit: Exit::Usage }
}

fn checker(args: &BenchArgs) -> Result<Checker, Refusal> {
    if let Some(command) = &args.tool {
        let tool = Tool::new(command, &args.tool_safe, &args.tool_unsafe).map_err(|why| usage(&why))?;
        return Ok(Checker::Tool(tool));
    }
    let program = task::own_program()
        .map_err(|error| Refusal::new(format!("nilas: cannot find the own program: {error}")))?;
    Ok(Checker::Nilas { program, engine: args.engine, extra: args.extra.clone() })
}

/// What a verdict or a time can depend on. Rows of other settings are never mixed.
fn settings(checker: &Checker, limits: Limits) -> Result<Json, Refusal> {
    let mut settings =
        json!({ "timeout": limits.cpu_s, "wall_timeout": limits.wall_s, "memory_limit": limits.memory_mb });
    match checker {
        Checker::Nilas { program, engine, extra } => {
            settings["version"] = json!(env!("CARGO_PKG_VERSION"));
            settings["build"] = json!(fingerprint(program)?);
            settings["engine"] = json!(engine.map_or("all", |engine| engine.name()));
            settings["options"] = json!(extra);
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
    let bytes = crate::input::read(program)?;
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

/// Runs the tasks that have no row yet. The rows of all tasks, in their order.
fn run_all(
    args: &BenchArgs,
    checker: &Checker,
    limits: Limits,
    folder: &Path,
    tasks: &[&Task],
    mut writer: Option<&mut Writer>,
) -> Result<Vec<Row>, Refusal> {
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    if let Some(writer) = &writer {
        let known: BTreeMap<&str, &Row> = writer.results.rows.iter().map(|row| (&*row.path, row)).collect();
        // What the index says today counts.
        let kept =
            tasks.iter().filter_map(|task| Some(Row::new(task, known.get(&*task.path)?.outcome.clone())));
        rows = kept.map(|row| (row.path.clone(), row)).collect();
    }
    let kept: Vec<Row> = rows.values().cloned().collect();
    let waiting: Vec<&Task> = tasks.iter().copied().filter(|task| !rows.contains_key(&task.path)).collect();
    let mut progress = Progress::new(tasks.len(), &kept, args.quiet || args.json, args.verbose);
    let warden = Warden::start()
        .map_err(|error| Refusal::new(format!("nilas: no shell to watch over processes: `sh`: {error}")))?;
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    let mut trouble = None;
    std::thread::scope(|scope| {
        for _ in 0..args.jobs.min(waiting.len()) {
            let (sender, next, waiting, warden) = (sender.clone(), &next, &waiting, &warden);
            scope.spawn(move || {
                while let Some(task) = waiting.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let row = Row::new(task, task::run(checker, task, folder, limits, warden));
                    if sender.send(row).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        loop {
            match receiver.recv_timeout(progress::REDRAW) {
                Ok(row) => {
                    progress.add(&row);
                    if let Some(Err(why)) = writer.as_mut().map(|writer| writer.add(row.clone())) {
                        // No more tasks: what they give could not be kept.
                        next.store(waiting.len(), Ordering::Relaxed);
                        trouble.get_or_insert(why);
                    }
                    rows.insert(row.path.clone(), row);
                }
                Err(RecvTimeoutError::Timeout) => progress.draw(),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    });
    progress.clear();
    if let Some(why) = trouble {
        return Err(why);
    }
    Ok(tasks.iter().filter_map(|task| rows.remove(&task.path)).collect())
}

fn print_results(args: &BenchArgs, results: &Results, other_properties: usize) {
    let summary = table::Summary::of(&results.rows, results.timeout_s());
    if args.json {
        let mut object = summary.json();
        object["settings"] = results.settings.clone();
        object["command"] = json!(results.command);
        crate::print(&format!("{object:#}\n"));
        return;
    }
    crate::print(&table::align(&summary.cells()));
    if !args.quiet {
        crate::print(&table::remarks(&results.rows));
        if other_properties > 0 {
            crate::print(&format!(
                "left out, because they ask for another property than unreach-call: {other_properties}\n"
            ));
        }
    }
}
