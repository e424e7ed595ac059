//! Answers for the places of a program, as `check` and `verify-evidence` print them.

use crate::cli::Common;
use nilas_check::{Assumption, CheckedPlace, Standing};
use nilas_report::{Source, Trace};
use serde_json::json;
use std::fmt::Write as _;

/// All answers: what is violated or not decided one by one, what is safe by its number.
pub(crate) fn text(
    common: &Common,
    file: &str,
    places: &[CheckedPlace],
    assumptions: &[Assumption],
    (source, trace): (Option<&Source>, Trace),
) -> String {
    let all = Standing::of_all(places.iter().map(|place| place.standing)).word();
    if common.json {
        return json(file, all, places, assumptions, source);
    }
    if common.quiet {
        return format!("{all}\n");
    }
    let of = |standing: Standing| places.iter().filter(move |place| place.standing == standing);
    let count = |standing: Standing| of(standing).count();
    let mut text = match of(Standing::Unsafe).next() {
        Some(first) => format!("unsafe: {}\n", first.finding.headline()),
        None if places.is_empty() => {
            "safe: nothing to check: the program has no place where the properties could be violated\n"
                .to_owned()
        }
        None => format!("{all}: {}\n", summary(places)),
    };
    // Writing to a string cannot fail, so results of `write!` are dropped here.
    for place in of(Standing::Unsafe).skip(1) {
        let _ = writeln!(text, "also: {}", place.finding.headline());
    }
    let undecided = |place: &&CheckedPlace| !matches!(place.standing, Standing::Safe | Standing::Unsafe);
    for place in places.iter().filter(undecided) {
        let why = place.why.as_deref().unwrap_or("not decided");
        let _ = writeln!(text, "not known: {}: {why}", place.finding.headline());
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
        let _ = writeln!(text, "execution to {}:{}:", place.finding.file, place.finding.line);
        text.push_str(&match (source, &place.course) {
            (Some(source), Some(course)) => nilas_report::text::course(source, course, trace),
            _ => nilas_report::text::reached(reached),
        });
    }
    text
}

/// How many places there are, by property.
fn summary(places: &[CheckedPlace]) -> String {
    let mut counts: Vec<(&str, usize)> = Vec::new();
    for place in places {
        let name = place.finding.property.name();
        match counts.iter_mut().find(|(other, _)| *other == name) {
            Some((_, count)) => *count += 1,
            None => counts.push((name, 1)),
        }
    }
    let parts: Vec<String> = counts.iter().map(|(name, count)| format!("{count} {name}")).collect();
    let word = if places.len() == 1 { "place" } else { "places" };
    format!("{} {word} ({})", places.len(), parts.join(", "))
}

fn json(
    file: &str,
    all: &str,
    places: &[CheckedPlace],
    assumptions: &[Assumption],
    source: Option<&Source>,
) -> String {
    let place = |it: &CheckedPlace| {
        let mut object = nilas_report::json::finding(&it.finding);
        object["verdict"] = json!(it.standing.word());
        object["reason"] = json!(it.why);
        object["execution"] = json!(it.reached.as_ref().map(nilas_report::json::reached));
        if let (Some(source), Some(course)) = (source, &it.course) {
            object["trace"] = nilas_report::json::course(source, course);
        }
        object
    };
    let places: Vec<_> = places.iter().map(place).collect();
    let assumption = |it: &Assumption| json!({ "kind": it.kind, "text": it.text });
    let assumptions: Vec<_> = assumptions.iter().map(assumption).collect();
    let object = json!({ "file": file, "verdict": all, "places": places, "assumptions": assumptions });
    format!("{object:#}\n")
}
