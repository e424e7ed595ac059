//! Verdict and evidence for people.

use crate::c_formula;
use crate::c_trace;
use crate::course;
use crate::explain;
use crate::facts;
use crate::source::Source;
use crate::summary::{Conclusion, Made, Reached, Summary};
use nilas_evidence::{Evidence, Trace};
use nilas_program::{LocationId, Program, text};
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
    let _ = match (&summary.conclusion, summary.engine) {
        (Conclusion::Unknown(why), _) if detail.evidence => writeln!(out, "unknown: {why}"),
        (answer, Some(engine)) if detail.evidence => writeln!(out, "{}  ({engine})", answer.word()),
        (answer, _) => writeln!(out, "{}", answer.word()),
    };
    if detail.evidence {
        for assumption in &summary.assumptions {
            let _ = writeln!(out, "assuming: {}", assumption.text);
        }
        match &summary.course {
            Some(course) => {
                course::render(&mut out, source, course, detail.trace);
                if let Conclusion::Reached(reached) = &summary.conclusion {
                    render_end(&mut out, reached);
                }
                render_repeated(&mut out, summary);
            }
            None => render_without_course(&mut out, program, source, summary),
        }
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

/// An execution of the C program, as lines.
#[must_use]
pub fn reached(reached: &Reached) -> String {
    let mut out = String::new();
    render_reached(&mut out, reached);
    out.lines().skip(1).map(|line| format!("{line}\n")).collect()
}

/// Evidence as the engines found it.
fn render_without_course(out: &mut String, program: &Program, source: &Source, summary: &Summary) {
    match &summary.conclusion {
        Conclusion::Safe(evidence) | Conclusion::Unsafe(evidence) => {
            render_evidence(out, program, source, evidence, summary.trace.as_ref());
        }
        Conclusion::Reached(reached) => render_reached(out, reached),
        Conclusion::Unknown(_) => {}
    }
    render_repeated(out, summary);
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

/// An execution of the C program.
fn render_reached(out: &mut String, reached: &Reached) {
    let _ = writeln!(out, "execution:");
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
        let _ = writeln!(out, "  {}: {word} = {}", choice.place, choice.value);
    }
    render_end(out, reached);
}

/// Where an execution of the C program ends.
fn render_end(out: &mut String, reached: &Reached) {
    let _ = writeln!(out, "  {}: {}", reached.place, reached.what);
    for (number, (function, place)) in reached.stack.iter().enumerate() {
        let word = if number == 0 { "in" } else { "called from" };
        let _ = writeln!(out, "      {word} `{function}` at {place}");
    }
}

fn render_evidence(
    out: &mut String,
    program: &Program,
    source: &Source,
    evidence: &Evidence,
    trace: Option<&Trace>,
) {
    let automaton = &program.automaton;
    match evidence {
        Evidence::Invariant(invariant) => {
            match invariant.induction.k.get() {
                1 => out.push_str("invariant:\n"),
                k => {
                    let _ = writeln!(out, "invariant, which holds where it held the last {k} times:");
                }
            }
            let mut complete = true;
            for (&location, &formula) in &invariant.formulas {
                if location == automaton.entry {
                    continue;
                }
                let heading = format!("  at {}:", location_name(program, source, location));
                complete &= facts::below(out, &heading, source, &invariant.arena, formula);
            }
            if !complete {
                let _ = writeln!(out, "{}", facts::LEFT_OUT);
            }
        }
        Evidence::Unwinding(unwinding) => {
            let _ = writeln!(out, "every execution ends:");
            for (&location, visits) in &unwinding.visits {
                if location != automaton.entry {
                    let name = location_name(program, source, location);
                    let _ = writeln!(out, "  at {name}: at most {visits} times");
                }
            }
        }
        Evidence::Run => {
            let _ = writeln!(out, "all executions go the same way, and it ends");
        }
        Evidence::Execution(execution) => match trace {
            Some(trace) if source.is_c() => c_trace::render(out, program, source, execution, trace),
            Some(trace) => render_execution(out, program, source, trace),
            None => {}
        },
    }
}

/// A formula in the language of the program.
pub(crate) fn print_formula(source: &Source, arena: &Arena, formula: Term) -> String {
    match source {
        Source::C { .. } => c_formula::print(arena, formula),
        Source::Automaton { .. } => text::print_expression(arena, formula),
    }
}

/// A location as a person finds it: its line in a C program, its name in an automaton.
fn location_name(program: &Program, source: &Source, location: LocationId) -> String {
    let location = program.automaton.location(location);
    match source.place(location.span) {
        Some(place) if source.is_c() => format!("{}:{} ({})", place.file, place.line, location.name),
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
