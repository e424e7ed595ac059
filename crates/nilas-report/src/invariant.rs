//! An invariant for people: what holds at each loop, a fact per line.

use crate::c_formula;
use crate::facts::{self, LEFT_OUT};
use crate::source::Source;
use crate::text::location_name;
use nilas_evidence::Invariant;
use nilas_program::{LocationId, Program, text};
use nilas_term::{Op, Term};
use std::collections::BTreeSet;
use std::fmt::Write;

/// What holds at one place of the program: where calls are inlined it has several locations.
pub(crate) struct Group {
    pub(crate) heading: String,
    /// File and line.
    pub(crate) at: Option<(String, usize)>,
    /// The facts of each location, without repetitions.
    pub(crate) copies: Vec<Vec<String>>,
}

/// Writes what holds where. Places of which nothing has to be known are left out.
pub(crate) fn render(out: &mut String, program: &Program, source: &Source, invariant: &Invariant) {
    // Writing to a string cannot fail, so results of `write!` are dropped here.
    let groups = groups(program, source, invariant);
    let _ = writeln!(out, "{}", self::kind(source, invariant, &groups));
    let mut complete = true;
    for Group { heading, copies, .. } in &groups {
        let several = copies.len() > 1;
        for (number, facts) in copies.iter().enumerate() {
            let copy = if several { format!(", copy {} of its function", number + 1) } else { String::new() };
            complete &= facts::told(out, &format!("  at {heading}{copy}:"), facts);
        }
    }
    if !complete {
        let _ = writeln!(out, "{LEFT_OUT}");
    }
}

/// What kind of a proof it is: the line before what holds where.
pub(crate) fn kind(source: &Source, invariant: &Invariant, groups: &[Group]) -> String {
    if groups.is_empty() {
        let what = if source.is_c() { "an assertion" } else { "the error" };
        return format!("proof: no fact about variables is needed, no way from loop to loop reaches {what}");
    }
    match invariant.induction.k.get() {
        1 => "invariant:".to_owned(),
        k => format!("invariant, which holds where it held the last {k} times:"),
    }
}

/// What holds where. Places of which nothing has to be known are left out.
pub(crate) fn groups(program: &Program, source: &Source, invariant: &Invariant) -> Vec<Group> {
    let automaton = &program.automaton;
    let mut groups: Vec<Group> = Vec::new();
    for (&location, &formula) in &invariant.formulas {
        let facts = facts_of(source, invariant, formula);
        if location == automaton.entry || facts.is_empty() {
            continue;
        }
        let heading = heading(program, source, location);
        match groups.iter_mut().find(|group| group.heading == heading) {
            Some(group) if group.copies.contains(&facts) => {}
            Some(group) => group.copies.push(facts),
            None => {
                let place = source.place(automaton.location(location).span);
                let at = place.map(|place| (place.file, place.line));
                groups.push(Group { heading, at, copies: vec![facts] });
            }
        }
    }
    groups
}

/// The place, with the text of its line.
pub(crate) fn heading(program: &Program, source: &Source, location: LocationId) -> String {
    let name = location_name(program, source, location);
    match source.place(program.automaton.location(location).span) {
        Some(place) if source.is_c() && !place.text.is_empty() => {
            let line = place.text.trim_start_matches('}').trim_end_matches('{').trim();
            format!("{name}, `{}`", facts::shortened(line, 60))
        }
        _ => name,
    }
}

/// The facts of a formula in the language of the program.
pub(crate) fn facts_of(source: &Source, invariant: &Invariant, formula: Term) -> Vec<String> {
    let arena = &invariant.arena;
    match source {
        Source::C { scalars, .. } => c_formula::readable_facts(arena, formula, scalars),
        Source::Automaton { .. } => {
            let conjuncts = match arena.op(formula) {
                Op::And => arena.children(formula),
                _ => &[formula],
            };
            let nothing = |conjunct: &&Term| arena.as_bool(**conjunct) != Some(true);
            let facts = conjuncts.iter().filter(nothing).map(|&it| text::print_expression(arena, it));
            let mut seen = BTreeSet::new();
            facts.filter(|fact| seen.insert(fact.clone())).collect()
        }
    }
}
