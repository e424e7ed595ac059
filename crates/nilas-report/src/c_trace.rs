//! An execution of a C program as the lines it passes, with the user's variables as they change.
//!
//! Steps that stand on the same line are one entry. Variables that the lowering made up (their names contain
//! `%`) are left out, and so are the initial values of statics: they are in the text. Inputs are marked.

use crate::course;
use crate::source::{Place, Source};
use crate::text::value;
use nilas_evidence::{Execution, Trace};
use nilas_program::{Basic, HavocSite, Machine, Program, VarId};
use nilas_term::{Sort, Value};
use std::fmt::Write;

/// One line of the program, passed once.
pub(crate) struct Entry {
    pub(crate) place: Option<Place>,
    /// Name, value, and whether it is an input.
    pub(crate) changes: Vec<(String, String, bool)>,
}

/// Renders an accepted execution: a line for each line of the program that it passes.
pub(crate) fn render(
    out: &mut String,
    (program, source): (&Program, &Source),
    execution: &Execution,
    trace: &Trace,
    shown: course::Trace,
) {
    let entries = entries(program, source, execution, trace);
    let _ = writeln!(out, "execution:");
    let half = entries.len() / 2;
    let mut lines = Vec::new();
    for (number, Entry { place, changes }) in entries.iter().enumerate() {
        if trace.omitted > 0 && number == half {
            lines.push(format!("  … {} steps were not kept", trace.omitted));
        }
        let place = place.as_ref().map_or_else(|| "(before the program starts)".to_owned(), Place::to_string);
        let change = |(name, value, input): &(String, String, bool)| {
            format!("{}{name} = {value}", if *input { "input " } else { "" })
        };
        let changes: Vec<String> = changes.iter().map(change).collect();
        lines.push(match &changes[..] {
            [] => format!("  {place}"),
            changes => format!("  {place}   // {}", changes.join("; ")),
        });
    }
    out.push_str(&course::shortened(lines, shown));
}

pub(crate) fn entries(
    program: &Program,
    source: &Source,
    execution: &Execution,
    trace: &Trace,
) -> Vec<Entry> {
    let automaton = &program.automaton;
    let mut machine = Machine::new(program);
    for (id, value) in automaton.variable_ids().zip(&trace.initial) {
        machine.set(id, Some(value.clone()));
    }
    let mut choose = |site: HavocSite, occurrence: u64| {
        let sort = &automaton.variable(automaton.havoc(site).variable).sort;
        Some(execution.havocs.get(&(site, occurrence)).cloned().unwrap_or_else(|| Value::default_of(sort)))
    };
    let mut entries: Vec<Entry> = Vec::new();
    for step in &trace.steps {
        let edge = automaton.edge(step.edge);
        let starting = edge.source == automaton.entry;
        for &id in &step.arcs {
            let arc = edge.command.arc(id);
            let (changed, input) = match arc.basic {
                Basic::Assign(variable, _) => (Some(variable), None),
                Basic::Havoc(variable, site) => (Some(variable), Some(site)),
                Basic::Skip | Basic::Assume(_) => (None, None),
            };
            if trace.omitted == 0 {
                machine.take(step.edge, id, &mut choose);
            }
            if starting {
                continue;
            }
            let place = source.place(arc.span);
            let same = |entry: &&mut Entry| match (&entry.place, &place) {
                (Some(one), Some(other)) => one.file == other.file && one.line == other.line,
                (one, other) => one.is_none() && other.is_none(),
            };
            if entries.last_mut().filter(same).is_none() {
                entries.push(Entry { place, changes: Vec::new() });
            }
            let (Some(variable), Some(entry)) = (changed, entries.last_mut()) else { continue };
            let named = input.and_then(|site| source.input_name(site));
            let name = match named {
                Some(name) => name.to_owned(),
                None if shown(program, variable) => automaton.variable(variable).name.clone(),
                None => continue,
            };
            // Where steps are left out the machine cannot go; the values at the end of the step are known.
            let later = || step.changes.iter().find(|(other, _)| *other == variable).map(|(_, now)| now);
            let now = if trace.omitted == 0 { machine.scalar(variable) } else { later() };
            entry.changes.extend(now.map(|now| (name, value(now), named.is_some())));
        }
    }
    entries
}

pub(crate) fn shown(program: &Program, variable: VarId) -> bool {
    let variable = program.automaton.variable(variable);
    !variable.name.contains('%') && !matches!(variable.sort, Sort::Array(_))
}
