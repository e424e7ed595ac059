//! Answers for the places of a program, as `check` and `verify-evidence` print them.

use crate::cli::Common;
use nilas_check::{Assumption, CheckedPlace, Standing};
use serde_json::json;
use std::fmt::Write as _;

/// All answers: what is violated or not decided one by one, what is safe by its number.
pub(crate) fn text(
    common: &Common,
    file: &str,
    places: &[CheckedPlace],
    assumptions: &[Assumption],
) -> String {
    let all = Standing::of_all(places.iter().map(|place| place.standing)).word();
    if common.json {
        return json(file, all, places, assumptions);
    }
    if common.quiet {
        return format!("{all}\n");
    }
    let of = |standing: Standing| places.iter().filter(move |place| place.standing == standing);
    let count = |standing: Standing| of(standing).count();
    let mut text = match of(Standing::Unsafe).next() {
        Some(first) => format!("unsafe: {}\n", first.headline()),
        None if places.is_empty() => {
            "nothing to check: no place where the properties could be violated\n".to_owned()
        }
        None => format!("{all}: {}\n", summary(places)),
    };
    // Writing to a string cannot fail, so results of `write!` are dropped here.
    for place in of(Standing::Unsafe).skip(1) {
        let _ = writeln!(text, "also: {}", place.headline());
    }
    let undecided = |place: &&CheckedPlace| !matches!(place.standing, Standing::Safe | Standing::Unsafe);
    for place in places.iter().filter(undecided) {
        let why = place.why.as_deref().unwrap_or("not decided");
        let _ = writeln!(text, "not known: {}: {why}", place.headline());
    }
    let safe = count(Standing::Safe);
    if safe > 0 && safe < places.len() {
        let _ = writeln!(text, "{safe} of {} places are safe", places.len());
    }
    for assumption in assumptions {
        let _ = writeln!(text, "assuming: {}", assumption.text);
    }
    for place in of(Standing::Unsafe) {
        let Some(reached) = &place.reached else { continue };
        let _ = writeln!(text, "execution to {}:{}:", place.file, place.line);
        text.push_str(&nilas_report::text::reached(reached));
    }
    text
}

/// How many places there are, by property.
fn summary(places: &[CheckedPlace]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for place in places {
        let name = place.property.name();
        match counts.iter_mut().find(|(other, _)| *other == name) {
            Some((_, count)) => *count += 1,
            None => counts.push((name, 1)),
        }
    }
    let parts: Vec<String> = counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
    let word = if places.len() == 1 { "place" } else { "places" };
    format!("{} {word} ({})", places.len(), parts.join(", "))
}

fn json(file: &str, all: &str, places: &[CheckedPlace], assumptions: &[Assumption]) -> String {
    let place = |it: &CheckedPlace| {
        json!({
            "property": it.property.name(),
            "what": it.what,
            "file": it.file,
            "line": it.line,
            "column": it.column,
            "expression": it.expression,
            "verdict": it.standing.word(),
            "reason": it.why,
            "execution": it.reached.as_ref().map(nilas_report::json::reached),
        })
    };
    let places: Vec<_> = places.iter().map(place).collect();
    let assumption = |it: &Assumption| json!({ "kind": it.kind, "text": it.text });
    let assumptions: Vec<_> = assumptions.iter().map(assumption).collect();
    let object = json!({ "file": file, "verdict": all, "places": places, "assumptions": assumptions });
    format!("{object:#}\n")
}
