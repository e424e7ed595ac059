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
struct Group {
    heading: String,
    /// The facts of each location, without repetitions.
    copies: Vec<Vec<String>>,
}

/// Writes what holds where. Places of which nothing has to be known are left out.
pub(crate) fn render(out: &mut String, program: &Program, source: &Source, invariant: &Invariant) {
    // Writing to a string cannot fail, so results of `write!` are dropped here.
    let groups = groups(program, source, invariant);
    if groups.is_empty() {
        let what = if source.is_c() { "an assertion" } else { "the error" };
        let _ = writeln!(
            out,
            "proof: no fact about variables is needed, no way from loop to loop reaches {what}"
        );
        return;
    }
    let _ = match invariant.induction.k.get() {
        1 => writeln!(out, "invariant:"),
        k => writeln!(out, "invariant, which holds where it held the last {k} times:"),
    };
    let mut complete = true;
    for Group { heading, copies } in &groups {
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

fn groups(program: &Program, source: &Source, invariant: &Invariant) -> Vec<Group> {
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
            None => groups.push(Group { heading, copies: vec![facts] }),
        }
    }
    groups
}

/// The place, with the text of its line.
fn heading(program: &Program, source: &Source, location: LocationId) -> String {
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
        Source::C { scalars, .. } => c_formula::facts(arena, formula, scalars),
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
