//! Verdict and evidence for people.

use crate::assumed::assumed;
use crate::c_formula;
use crate::c_trace;
use crate::contracts;
use crate::course;
use crate::explain;
use crate::headline::headline;
use crate::invariant;
use crate::source::Source;
use crate::summary::{Conclusion, Made, Reached, Summary};
use crate::unknown;
use nilas_evidence::{Evidence, Trace};
use nilas_program::{LocationId, Program, text};
use nilas_run::trace::Course;
use nilas_term::{Arena, Sort, Term, Value};
use std::fmt::Write;

/// What to print besides the verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Detail {
    /// The evidence.
    pub evidence: bool,
    /// The statistics.
    pub statistics: bool,
    /// How much of an execution.
    pub trace: crate::course::Trace,
}

/// A value as an engineer writes it: bit-vectors signed, and unsigned where that differs.
#[must_use]
pub fn value(value: &Value) -> String {
    match value {
        Value::Bool(value) => value.to_string(),
        Value::BitVec(bits) => {
            let (unsigned, half) = (bits.to_big(), bits.width() - 1);
            if bits.bit(half) && bits.width() > 1 {
                let signed = nilas_term::BitVec::neg(bits).to_big();
                format!("-{signed} ({unsigned})")
            } else {
                unsigned.to_string()
            }
        }
        other => nilas_term::smtlib::print_value(other),
    }
}

/// The whole report.
#[must_use]
pub fn render(program: &Program, source: &Source, summary: &Summary, detail: Detail) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail, so results of `write!` are dropped here.
    if detail.evidence {
        let _ = writeln!(out, "{}", headline(source, summary));
        if let Some(engine) = summary.engine
            && !matches!(summary.conclusion, Conclusion::Unknown(_))
        {
            let _ = writeln!(out, "found by: {engine}");
        }
        for assumption in assumed(&summary.assumptions) {
            let _ = writeln!(out, "assuming: {assumption}");
        }
        out.push_str(&evidence(program, source, summary, detail.trace));
        unknown::render(&mut out, summary);
    } else {
        let _ = writeln!(out, "{}", summary.conclusion.word());
    }
    if let Some(explanation) = &summary.explanation {
        out.push_str(&explain::text(program, source, explanation));
    }
    if detail.statistics {
        for (group, counters) in &summary.statistics {
            let _ = writeln!(out, "\n{group}:");
            for (name, count) in counters {
                let digits = if count.fract() == 0.0 { 0 } else { 3 };
                let _ = writeln!(out, "  {name:<32}{count:>14.digits$}");
            }
        }
    }
    out
}

/// What carries the verdict: a proof, or an execution.
#[must_use]
pub fn evidence(program: &Program, source: &Source, summary: &Summary, trace: course::Trace) -> String {
    let mut out = String::new();
    match (&summary.conclusion, &summary.course) {
        (_, Some(course)) => {
            // What is told was executed by the second reading of C, whoever found it.
            let repeated = matches!(summary.replayed, Some(Ok(_)));
            out.push_str(if repeated { "execution, repeated in C:\n" } else { "execution:\n" });
            out.push_str(&course::text(source, course, trace));
            return out;
        }
        (Conclusion::Safe(evidence) | Conclusion::Unsafe(evidence), None) => {
            render_evidence(&mut out, (program, source), evidence, summary.trace.as_ref(), trace);
        }
        (Conclusion::Reached(reached), None) => {
            out.push_str("execution:\n");
            out.push_str(&self::reached(reached, trace));
        }
        (Conclusion::Unknown(_), None) => {}
    }
    render_repeated(&mut out, summary);
    out
}

/// What an execution of the C program does, line by line.
#[must_use]
pub fn course(source: &Source, course: &Course, trace: course::Trace) -> String {
    course::text(source, course, trace)
}

/// What came of repeating an execution in C.
fn render_repeated(out: &mut String, summary: &Summary) {
    match &summary.replayed {
        Some(Ok(reached)) => {
            let _ = writeln!(out, "repeated in C:");
            render_end(out, reached);
        }
        Some(Err(why)) => {
            let _ = writeln!(out, "not repeated in C: {why}");
        }
        None => {}
    }
}

/// The choices of an execution of the C program, and where it ends.
#[must_use]
pub fn reached(reached: &Reached, trace: course::Trace) -> String {
    let mut lines = Vec::new();
    // What goes the usual way is not told.
    let usual = |choice: &&Made| {
        matches!(choice.kind, "allocation-failure" | "evaluation-order") && choice.value == "0"
    };
    for choice in reached.choices.iter().filter(|choice| !usual(choice)) {
        let word = match choice.kind {
            "input" => format!("input {}", nilas_c::catalogue::shown_input(&choice.name)),
            // An array behind an argument, or a register.
            "uninitialised" if choice.name.starts_with('*') => format!("input {}", choice.name),
            "uninitialised" => format!("uninitialised {}", choice.name),
            kind => format!("{kind} {}", choice.name),
        };
        lines.push(format!("  {}: {word} = {}", choice.place, choice.value));
    }
    let mut out = course::shortened(lines, trace);
    render_end(&mut out, reached);
    out
}

/// Where an execution of the C program ends.
fn render_end(out: &mut String, reached: &Reached) {
    let _ = writeln!(out, "  {}: {}", reached.place, reached.what);
    for (number, (function, place)) in reached.stack.iter().enumerate() {
        let word = if number == 0 { "in" } else { "called from" };
        let _ = writeln!(out, "      {word} `{function}` at {place}");
    }
}

pub(crate) fn render_evidence(
    out: &mut String,
    (program, source): (&Program, &Source),
    evidence: &Evidence,
    trace: Option<&Trace>,
    shown: course::Trace,
) {
    let automaton = &program.automaton;
    match evidence {
        Evidence::Invariant(invariant) => {
            invariant::render(out, program, source, invariant);
        }
        Evidence::Unwinding(unwinding) => {
            let loops: Vec<_> =
                unwinding.visits.iter().filter(|(location, _)| **location != automaton.entry).collect();
            // Where nothing leads to the error any more, an execution need not end.
            let _ = match loops.is_empty() {
                true => writeln!(out, "proof: no loop lies on a way to {}", error(source)),
                false => writeln!(
                    out,
                    "proof by unrolling: {} can be reached only within these bounds, and is not:",
                    error(source)
                ),
            };
            for Bound { at, visits, copies } in bounds(program, source, loops) {
                let times = if visits == 1 { "once".to_owned() } else { format!("{visits} times") };
                let each = if copies > 1 { format!(" in each of {copies} copies") } else { String::new() };
                let _ = writeln!(out, "  {at}: at most {times}{each}");
            }
        }
        Evidence::Contracts(contracts) => contracts::render(out, source, contracts),
        Evidence::Run => {
            let _ = writeln!(out, "proof: all executions go the same way, and it was followed to its end");
        }
        Evidence::Execution(execution) => match trace {
            Some(trace) if source.is_c() => {
                c_trace::render(out, (program, source), execution, trace, shown);
            }
            Some(trace) => render_execution(out, program, source, trace),
            None => {}
        },
    }
}

/// How often a loop is passed at most; where calls are inlined it has several copies.
struct Bound {
    at: String,
    visits: u64,
    copies: usize,
}

/// The bounds of the loops of the program, as they come; those of the library are one, the last.
fn bounds<'b>(
    program: &Program,
    source: &Source,
    loops: impl IntoIterator<Item = (&'b LocationId, &'b u64)>,
) -> Vec<Bound> {
    let mut bounds: Vec<Bound> = Vec::new();
    let mut library: Option<Bound> = None;
    for (&location, &visits) in loops {
        let place = source.place(program.automaton.location(location).span);
        if place.is_some_and(|place| place.is_of_library()) {
            let at = "in functions of the C library".to_owned();
            let bound = library.get_or_insert(Bound { at, visits, copies: 1 });
            bound.visits = bound.visits.max(visits);
            continue;
        }
        let at = format!("at {}", invariant::heading(program, source, location));
        match bounds.iter_mut().find(|bound| bound.at == at) {
            Some(bound) => {
                bound.visits = bound.visits.max(visits);
                bound.copies += 1;
            }
            None => bounds.push(Bound { at, visits, copies: 1 }),
        }
    }
    bounds.extend(library);
    bounds
}

/// What the question is about.
fn error(source: &Source) -> &'static str {
    if source.is_c() { "a failing assertion" } else { "the error" }
}

/// A formula in the language of the program.
pub(crate) fn print_formula(source: &Source, arena: &Arena, formula: Term) -> String {
    match source {
        Source::C { scalars, .. } => c_formula::print(arena, formula, scalars),
        Source::Automaton { .. } => text::print_expression(arena, formula),
    }
}

/// A location as a person finds it: its line in a C program, its name in an automaton.
pub(crate) fn location_name(program: &Program, source: &Source, location: LocationId) -> String {
    let location = program.automaton.location(location);
    match source.place(location.span) {
        Some(place) if source.is_c() => format!("{}:{}", place.file, place.line),
        _ => location.name.clone(),
    }
}

fn render_execution(out: &mut String, program: &Program, source: &Source, trace: &Trace) {
    let automaton = &program.automaton;
    let _ = writeln!(out, "execution:");
    let plain = |id: &nilas_program::VarId| !matches!(automaton.variable(*id).sort, Sort::Array(_));
    for id in automaton.variable_ids().filter(plain) {
        let _ = writeln!(out, "  {} = {}", automaton.variable(id).name, value(&trace.initial[id.index()]));
    }
    for (number, step) in trace.steps.iter().enumerate() {
        if trace.omitted > 0 && number == trace.steps.len() / 2 {
            let _ = writeln!(out, "  … {} steps left out", trace.omitted);
        }
        let edge = automaton.edge(step.edge);
        let place = |location| &automaton.location(location).name;
        let _ = write!(out, "  {} -> {}", place(edge.source), place(edge.target));
        if let Some(place) = source.place(edge.span) {
            let _ = write!(out, "   {place}");
        }
        out.push('\n');
        for (site, input) in &step.inputs {
            let variable = automaton.havoc(*site).variable;
            let _ = writeln!(out, "      input {} = {}", automaton.variable(variable).name, value(input));
        }
        for (variable, after) in &step.changes {
            let _ = writeln!(out, "      {} = {}", automaton.variable(*variable).name, value(after));
        }
    }
}
