//! What it brings to emit functions once: each program is lowered with copies of bodies in the place of all
//! calls, and with one body in the automaton for each function that is called more than once, each in a
//! process of its own; processor seconds, memory and edges stand side by side.
//!
//! ```sh
//! cargo run --release -p nilas-c --example calls -- [--64] FILE.c …
//! ```
//!
//! Unknown functions do nothing, as drivers are checked. `edges` are those of the automaton that engines get;
//! `once` those of all bodies together as they were lowered, a call counting as one, before copies or the
//! wait encoding make edges of calls; `not followed` are calls beyond the bound.
#![allow(clippy::print_stdout, reason = "an example may print")]

use nilas_c::types::DataModel;
use nilas_c::{Input, LowerOptions, Options, UnknownFunctions, lower_within, parse_program};
use nilas_term::Budget;
use std::process::Command;
use std::time::{Duration, Instant};

/// Seconds for one lowering.
const LIMIT: u64 = 60;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [one, mode, wide, file] = &arguments[..]
        && one == "--one"
    {
        return lower_one(file, mode == "shared", wide == "yes");
    }
    let wide = arguments.iter().any(|argument| argument == "--64");
    println!("seconds     MB    edges    once  bodies  calls  mode     not followed  file");
    for file in arguments.iter().filter(|argument| *argument != "--64") {
        for mode in ["copies", "shared"] {
            let Ok(program) = std::env::current_exe() else { return };
            let wide = if wide { "yes" } else { "no" };
            match Command::new(program).args(["--one", mode, wide, file]).output() {
                Ok(output) if output.status.success() => {
                    print!("{}", String::from_utf8_lossy(&output.stdout));
                }
                _ => println!("failed: {mode} {file}"),
            }
        }
    }
}

/// What all threads of this process used so far, in ticks of a hundredth.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    fields.filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / 100.0
}

fn lower_one(file: &str, shared: bool, wide: bool) {
    let name = file.rsplit('/').next().unwrap_or(file);
    let mode = if shared { "shared" } else { "copies" };
    let model = if wide { DataModel::Lp64 } else { DataModel::Ilp32 };
    let options = Options { model, ..Options::default() };
    let tree = match parse_program(&Input::Path(file.into()), &options) {
        Ok(tree) => tree,
        Err(failure) => return println!("refused: {name}: {}", failure.diagnostics[0].message),
    };
    let parsed = processor_seconds();
    let inlined = if shared { 0 } else { usize::MAX };
    let unknown_functions = UnknownFunctions::Nothing;
    let options = LowerOptions { inlined, unknown_functions, ..LowerOptions::default() };
    let budget = Budget { deadline: Some(Instant::now() + Duration::from_secs(LIMIT)), ..Budget::default() };
    let lowered = match lower_within(&tree, &options, &budget) {
        Ok(Ok(lowered)) => lowered,
        Ok(Err(diagnostics)) => return println!("refused: {name}: {}", diagnostics[0].message),
        Err(why) => return println!("{why} after {:.2} s: {mode} {name}", processor_seconds() - parsed),
    };
    let seconds = processor_seconds() - parsed;
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|rest| rest.split_whitespace().next()?.parse::<f64>().ok()).unwrap_or(0.0);
    let edges = lowered.program.automaton.edges.len();
    let cut = lowered.places.iter().filter(|place| place.construct.contains("too large to inline")).count();
    let (bodies, count, calls) =
        lowered.emitted.map_or((edges, 1, 0), |it| (it.edges, it.procedures + 1, it.calls));
    println!(
        "{seconds:>7.2} {:>6.0} {edges:>8} {bodies:>7} {count:>7} {calls:>6}  {mode:<8} {cut:>12}  {name}",
        peak / 1024.0
    );
}
