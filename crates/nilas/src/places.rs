//! Answers for the places of a program, as `check` and `verify-evidence` print them.

use crate::cli::Common;
use nilas_check::{Answer, Assumption, CheckedPlace, Standing};
use nilas_report::{Source, Trace};
use serde_json::{Value as Json, json};
use std::fmt::Write as _;

/// The first line of an answer.
pub(crate) fn headline(places: &[CheckedPlace]) -> String {
    let all = Standing::of_all(places.iter().map(|place| place.standing)).word();
    match places.iter().find(|place| place.standing == Standing::Unsafe) {
        Some(first) => format!("unsafe: {}", first.finding.headline()),
        None if places.is_empty() => {
            "safe: nothing to check: the program has no place where the properties could be violated"
                .to_owned()
        }
        None => format!("{all}: {}", summary(places)),
    }
}

/// All answers: what is violated or not decided one by one, what is safe by its number.
pub(crate) fn text(
    common: &Common,
    places: &[CheckedPlace],
    assumptions: &[Assumption],
    (source, trace): (Option<&Source>, Trace),
) -> String {
    if common.quiet {
        return format!("{}\n", Standing::of_all(places.iter().map(|place| place.standing)).word());
    }
    let of = |standing: Standing| places.iter().filter(move |place| place.standing == standing);
    let count = |standing: Standing| of(standing).count();
    let mut text = format!("{}\n", headline(places));
    // Writing to a string cannot fail, so results of `write!` are dropped here.
    for place in of(Standing::Unsafe).skip(1) {
        let _ = writeln!(text, "also: {}", place.finding.headline());
    }
    let undecided = |place: &&CheckedPlace| !matches!(place.standing, Standing::Safe | Standing::Unsafe);
    not_known(&mut text, &places.iter().filter(undecided).collect::<Vec<_>>());
    let safe = count(Standing::Safe);
    if safe > 0 && safe < places.len() {
        let _ = writeln!(text, "{safe} of {} places are safe", places.len());
    }
    for assumption in nilas_report::assumed(assumptions) {
        let _ = writeln!(text, "assuming: {assumption}");
    }
    for place in of(Standing::Unsafe) {
        let Some(reached) = &place.reached else { continue };
        let _ = writeln!(text, "execution to {}:{}:", place.finding.file, place.finding.line);
        text.push_str(&match (source, &place.course) {
            (Some(source), Some(course)) => nilas_report::text::course(source, course, trace),
            _ => nilas_report::text::reached(reached, trace),
        });
    }
    text
}

/// Places without an answer for the same reason are told one by one if they are not more.
const FEW: usize = 4;

/// What is not known, and why: of many places with the same reason, the lines by kind.
fn not_known(text: &mut String, places: &[&CheckedPlace]) {
    fn why(place: &CheckedPlace) -> &str {
        place.why.as_deref().unwrap_or("not decided")
    }
    // How long it took to find a proof is no other reason.
    let cause = |place: &CheckedPlace| -> String { why(place).split(char::is_numeric).collect() };
    let mut causes: Vec<(String, Vec<&CheckedPlace>)> = Vec::new();
    for &place in places {
        let cause = cause(place);
        match causes.iter_mut().find(|(other, _)| *other == cause) {
            Some((_, group)) => group.push(place),
            None => causes.push((cause, vec![place])),
        }
    }
    for (_, group) in causes {
        if group.len() <= FEW {
            for place in group {
                let _ = writeln!(text, "not known: {}: {}", place.finding.headline(), why(place));
            }
            continue;
        }
        let _ = writeln!(text, "not known: {} places: {}", group.len(), why(group[0]));
        let mut kinds: Vec<(&str, &str, Vec<u32>)> = Vec::new();
        for place in group {
            let (kind, file, line) = (place.finding.kind(), &*place.finding.file, place.finding.line);
            match kinds.iter_mut().find(|it| (it.0, it.1) == (kind, file)) {
                Some((.., lines)) if lines.contains(&line) => {}
                Some((.., lines)) => lines.push(line),
                None => kinds.push((kind, file, vec![line])),
            }
        }
        for (kind, file, lines) in kinds {
            let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
            let _ = writeln!(text, "  {kind} at {file}:{}", lines.join(", "));
        }
    }
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

/// All answers as an object.
pub(crate) fn object(answer: &Answer, headline: &str) -> Json {
    let report = answer.report(headline.to_owned());
    let places = nilas_report::json::places(&report);
    told(&answer.name, (answer.verdict(), headline), &places, answer.assumptions())
}

/// Answers that were saved, as an object.
pub(crate) fn verified(file: &str, places: &[CheckedPlace], assumptions: &[Assumption]) -> Json {
    let all = Standing::of_all(places.iter().map(|place| place.standing)).word();
    let place = |it: &CheckedPlace| {
        let mut object = nilas_report::json::finding(&it.finding);
        object["verdict"] = json!(it.standing.word());
        object["reason"] = json!(it.why);
        object["execution"] = json!(it.reached.as_ref().map(nilas_report::json::reached));
        object
    };
    let told_places = places.iter().map(place).collect();
    told(file, (all, &headline(places)), &told_places, assumptions)
}

fn told(file: &str, (verdict, headline): (&str, &str), places: &Json, assumptions: &[Assumption]) -> Json {
    let assumption = |it: &Assumption| json!({ "kind": it.kind, "text": it.text });
    let assumptions: Vec<_> = assumptions.iter().map(assumption).collect();
    json!({
        "file": file, "verdict": verdict, "headline": headline, "places": places, "assumptions": assumptions,
    })
}
