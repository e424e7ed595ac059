//! Explanations as text.

use super::{Busy, Deciding, Explanation, Finding, Needed, Stuck};
use crate::facts;
use crate::source::Source;
use crate::text::{print_formula, value};
use nilas_program::{LocationId, Program};
use std::fmt::Write;

/// Lines of the program are shown up to this many characters.
const LINE: usize = 60;

/// The section that explains what an engine did.
#[must_use]
pub fn render(program: &Program, source: &Source, explanation: &Explanation) -> String {
    let Explanation { engine, method, reach, seconds, busiest, finding } = explanation;
    let mut out = String::new();
    // Writing to a string cannot fail, so results of `write!` are dropped here.
    let _ = writeln!(out, "\nexplanation:");
    let _ = writeln!(out, "  The engine `{engine}` {method}.");
    let reach: Vec<String> = reach.iter().map(|(what, count)| counted(*count, what)).collect();
    let reach = if reach.is_empty() { String::new() } else { format!("{}, ", reach.join(", ")) };
    let _ = writeln!(out, "  How far it came: {reach}{seconds:.1} s.");
    if !busiest.is_empty() {
        let _ = writeln!(out, "  Where it worked most:");
        for Busy { location, work } in busiest {
            let work: Vec<String> = work.iter().map(|(what, count)| counted(*count, what)).collect();
            let _ = writeln!(out, "    {}: {}", place(program, source, *location, true), work.join(", "));
        }
    }
    match finding {
        Finding::Proof { needed, learnt } => proof(&mut out, program, source, needed, *learnt),
        Finding::Unwound(unwinding) => {
            let most = unwinding.visits.iter().filter(|(location, _)| **location != program.automaton.entry);
            let most = most.max_by_key(|(location, visits)| (**visits, std::cmp::Reverse(**location)));
            let _ = write!(
                out,
                "  All executions were followed as far as one could still meet the error, and none does."
            );
            let _ = match most {
                Some((&location, &visits)) => {
                    let name = place(program, source, location, false);
                    let times = if visits == 1 { "once".into() } else { format!("{visits} times") };
                    writeln!(
                        out,
                        "\n  None comes by {name} more than {times}, or by another place more often."
                    )
                }
                None => writeln!(out),
            };
        }
        Finding::Contracts(count) => {
            let procedures = if *count == 1 { "1 procedure".into() } else { format!("{count} procedures") };
            let _ = writeln!(
                out,
                "  What carries the proof: contracts of {procedures}. Each says where it is called and with what it \
                 comes back;\n  they hold because a body keeps its own if the calls in it keep theirs."
            );
        }
        Finding::Ran => {
            let _ = writeln!(
                out,
                "  The only execution there is was run to its end, and does not meet the error."
            );
        }
        Finding::Execution(deciding) => execution(&mut out, source, deciding),
        Finding::Stuck(stuck) => stand(&mut out, program, source, stuck),
    }
    out
}

fn proof(out: &mut String, program: &Program, source: &Source, needed: &Needed, learnt: Option<u64>) {
    let left = needed.len();
    if left == 0 {
        let _ = writeln!(
            out,
            "  The proof needs no fact about loops: no way from one loop to the next reaches the error."
        );
    } else {
        let facts = counted(left as u64, "facts");
        let _ = writeln!(out, "  What carries the proof: {facts}, true whenever control is at");
        let mut complete = true;
        for (&location, conjuncts) in &needed.conjuncts {
            let _ = writeln!(out, "    {}:", place(program, source, location, true));
            complete &= facts::list(out, "      ", source, &needed.arena, conjuncts);
        }
        if !complete {
            let _ = writeln!(out, "  {}", facts::LEFT_OUT);
        }
    }
    let dropped = needed.before - left;
    if dropped > 0 {
        let facts = counted(dropped as u64, "facts");
        let _ = writeln!(
            out,
            "  {facts} of the invariant found can be left out, and the checker accepts the rest."
        );
    }
    if !needed.complete {
        let _ = writeln!(out, "  Perhaps not all of this is needed: the search for what is was cut short.");
    }
    let unneeded = learnt.unwrap_or(0).saturating_sub(left as u64);
    if let Some(learnt) = learnt.filter(|_| unneeded > 0) {
        let lemmas = counted(learnt, "lemmas");
        let were = if learnt == 1 { "was" } else { "were" };
        let _ = writeln!(
            out,
            "  {lemmas} {were} learnt on the way; at least {unneeded} are not needed in the end."
        );
    }
}

fn execution(out: &mut String, source: &Source, deciding: &Deciding) {
    let Deciding { steps, inputs, count } = deciding;
    let _ = writeln!(out, "  The execution takes {}.", counted(*steps as u64, "steps"));
    if inputs.is_empty() {
        let _ = writeln!(out, "  It depends on no input: the error is always reached this way.");
        return;
    }
    let at = |input: &super::Input| match source.place(input.span) {
        Some(place) => format!(" (line {})", place.line),
        None => String::new(),
    };
    let decisive: Vec<_> = inputs.iter().filter(|input| input.otherwise.is_some()).collect();
    if !decisive.is_empty() {
        let _ = writeln!(out, "  These inputs decide:");
        for input in &decisive {
            let other = input.otherwise.as_ref().map(value).unwrap_or_default();
            let _ = writeln!(
                out,
                "    {}{} = {}; with {other}, and all else the same, the error is not reached",
                input.name,
                at(input),
                value(&input.value)
            );
        }
    }
    let free = inputs.iter().filter(|input| input.tried && input.otherwise.is_none()).count();
    if free > 0 {
        let inputs = counted(free as u64, "inputs");
        let _ = writeln!(out, "  {inputs}: the other values that were tried reach the error as well.");
    }
    let untried = count - decisive.len() - free;
    if untried > 0 {
        let _ = writeln!(out, "  {}: no other value was tried.", counted(untried as u64, "inputs"));
    }
}

fn stand(out: &mut String, program: &Program, source: &Source, stuck: &Stuck) {
    let Stuck { reason, place: at, arena, last, growth, advice } = stuck;
    let _ = writeln!(out, "  Why there is no answer: {reason}.");
    if let Some(location) = at {
        let _ = writeln!(out, "  Where it was stuck: {}.", place(program, source, *location, true));
    }
    if let Some(growth) = growth {
        let shown: Vec<String> =
            growth.lemmas.iter().take(3).map(|&lemma| print_formula(source, arena, lemma)).collect();
        let how = if growth.even { "one value at a time" } else { "value by value" };
        let _ = writeln!(
            out,
            "  It learnt {}, … there: {} that differ in a number only, {how}.\n  \
             The fact behind them was not found.",
            shown.join(", "),
            counted(growth.lemmas.len() as u64, "lemmas")
        );
    } else if !last.is_empty() {
        let _ = writeln!(out, "  What it learnt there last:");
        facts::list(out, "    ", source, arena, last);
    }
    if !advice.is_empty() {
        let _ = writeln!(out, "  What you can try:");
        for advice in advice {
            let _ = writeln!(out, "    - {advice}");
        }
    }
}

/// A location as a person finds it: line, function and text in a C program, its name in an automaton.
fn place(program: &Program, source: &Source, location: LocationId, text: bool) -> String {
    let location = program.automaton.location(location);
    match source.place(location.span) {
        Some(place) if source.is_c() => {
            let mut out = format!("{}:{}", place.file, place.line);
            if let Some(function) = source.function(location.span) {
                let _ = write!(out, " in {function}");
            }
            if text && !place.text.is_empty() {
                let _ = write!(out, " (`{}`)", facts::shortened(&place.text, LINE));
            }
            out
        }
        _ => location.name.clone(),
    }
}

/// `1 lemma`, `2 lemmas`.
fn counted(count: u64, what: &str) -> String {
    let singular = match what {
        "frames" | "nodes" | "lemmas" | "obligations" | "coverings" | "refinements" | "facts" | "steps"
        | "inputs" | "layers" | "solver calls" => &what[..what.len() - 1],
        other => other,
    };
    format!("{count} {}", if count == 1 { singular } else { what })
}
