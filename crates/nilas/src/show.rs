//! `nilas show`: the control-flow automaton of a program.

use crate::cli::ShowArgs;
use crate::exit::Exit;
use nilas_c::Emitted;
use nilas_check::{Input, LimitOptions, Refusal, Session, Text};
use nilas_program::procedures::module_to_dot;
use nilas_program::text::{print_annotated, print_program};
use nilas_program::{Edge, PassSize, Program, Simplified, large_blocks, simplify, to_dot};
use nilas_program::{print_module, print_targets};
use nilas_term::Sort;
use serde_json::json;
use std::fmt::Write;

pub(crate) fn run(args: &ShowArgs) -> Result<Exit, Refusal> {
    let task = args.files.task(&args.language)?;
    let limits = LimitOptions { megabytes: args.common.memory_limit, ..LimitOptions::default() };
    let session = Session::start(&limits);
    let input = match &args.evidence {
        Some(path) => session.read_for(&task, &Text::File(path.clone()))?,
        None => session.read(&task)?,
    };
    let mut sizes = Vec::new();
    let program = if args.passes || args.stats {
        let simplified = simplify(&input.program, &session.budget());
        let Simplified { program, sizes: measured, .. } =
            simplified.map_err(|why| Refusal::limit(format!("nilas: {why} while passes ran")))?;
        sizes = measured;
        if args.passes { program } else { input.program.clone() }
    } else if args.large_blocks {
        large_blocks(&input.program).0
    } else {
        input.program.clone()
    };
    // A program with procedures as it is, unless something is asked about the automaton that engines see.
    let as_read = !args.passes && !args.large_blocks && !args.inline && args.evidence.is_none();
    let module = input.module.as_ref().filter(|_| as_read);
    let output = if args.common.json {
        json(&program, &sizes)
    } else if args.stats {
        statistics(&input, &sizes)
    } else if let Some(module) = module {
        if args.dot { module_to_dot(module) } else { print_module(module) }
    } else if args.dot {
        to_dot(&program)
    } else if input.errors.len() > 1 && !args.passes && !args.large_blocks {
        print_targets(&input.targets())
    } else {
        print_annotated(&program, &|edge| comment(&input, edge))
    };
    crate::print(&output);
    Ok(Exit::Safe)
}

/// Where an edge of a C program stands. (An automaton's own text needs no comments.)
fn comment(input: &Input, edge: &Edge) -> Option<String> {
    Some(input.source.place(edge.span).filter(|_| input.source.is_c())?.to_string())
}

fn json(program: &Program, sizes: &[PassSize]) -> String {
    let automaton = &program.automaton;
    let pass = |size: &PassSize| {
        json!({
            "pass": size.pass, "locations": size.locations, "edges": size.edges, "variables": size.variables,
        })
    };
    let counts = json!({
        "locations": automaton.locations.len(),
        "edges": automaton.edges.len(),
        "variables": automaton.variables.len(),
        "passes": sizes.iter().map(pass).collect::<Vec<_>>(),
        "text": print_program(program),
    });
    format!("{counts:#}\n")
}

/// Sizes as lowered and after each pass; steps inside commands are counted.
fn statistics(input: &Input, sizes: &[PassSize]) -> String {
    let automaton = &input.program.automaton;
    let is_array = |sort: &Sort| matches!(sort, Sort::Array(_));
    let arrays = automaton.variables.iter().filter(|variable| is_array(&variable.sort)).count();
    let mut out = format!(
        "as read: {} locations, {} edges, {} variables ({arrays} of them arrays), {} inputs\n",
        automaton.locations.len(),
        automaton.edges.len(),
        automaton.variables.len(),
        automaton.havocs.len(),
    );
    // Writing to a string cannot fail, here and below.
    if let Some(Emitted { procedures, calls, edges, inlined }) = input.emitted {
        let _ = writeln!(
            out,
            "functions with one body: {procedures}, with {calls} calls; {edges} edges before calls became edges, {inlined} with \
             all of them inlined"
        );
    }
    for why in &input.unkept {
        let _ = writeln!(out, "calls are inlined of {why}");
    }
    if let Some(module) = &input.module {
        let (procedures, calls) = (module.procedures.len(), module.calls.len());
        let edges = module.program.automaton.edges.len();
        let _ = writeln!(
            out,
            "procedures: {procedures}, with {calls} calls; {edges} edges before they were inlined"
        );
    }
    out.push('\n');
    let _ = writeln!(out, "{:<24}{:>12}{:>12}{:>12}", "after", "locations", "steps", "variables");
    for size in sizes {
        let PassSize { pass, locations, edges, variables } = size;
        let _ = writeln!(out, "{pass:<24}{locations:>12}{edges:>12}{variables:>12}");
    }
    out
}
