//! An execution as data: its events in order.

use super::text::{place, statement};
use crate::source::Source;
use nilas_program::source::Span;
use nilas_run::trace::{Course, What};
use serde_json::{Value as Json, json};

/// One object per event: its kind, how many calls are active, and what belongs to it.
pub(crate) fn json(source: &Source, course: &Course) -> Json {
    let told = |at: Span, text: &str, core: &str| {
        let place = place(source, at);
        let text = place.as_ref().map(|place| statement(place, text, core));
        (place.as_ref().map(|it| it.file.clone()), place.as_ref().map(|it| it.line), text)
    };
    let pairs = |pairs: &[(String, String)]| {
        pairs.iter().map(|(name, value)| json!({ "name": name, "value": value })).collect::<Vec<_>>()
    };
    let event = |event: &nilas_run::trace::Event| {
        let mut object = match &event.what {
            What::Statement { at, text, core } => {
                let (file, line, text) = told(*at, text, core);
                json!({ "kind": "statement", "file": file, "line": line, "text": text })
            }
            What::Loop { at, text, core } => {
                let (file, line, text) = told(*at, text, core);
                json!({ "kind": "loop", "file": file, "line": line, "text": text })
            }
            What::Branch(holds) => json!({ "kind": "branch", "taken": holds }),
            What::Case(case) => json!({ "kind": "case", "case": case }),
            What::Choice(text) => json!({ "kind": "choice", "text": text }),
            What::Iteration(number) => json!({ "kind": "iteration", "number": number }),
            What::LoopEnds => json!({ "kind": "loop-ends" }),
            What::Change { name, value, .. } => json!({ "kind": "change", "name": name, "value": value }),
            What::Input { name, value } => json!({ "kind": "input", "name": name, "value": value }),
            What::Uninitialised { name, value } => {
                json!({ "kind": "uninitialised", "name": name, "value": value })
            }
            What::Enter { function, arguments } => {
                json!({ "kind": "call", "function": function, "arguments": pairs(arguments) })
            }
            What::Leave(value) => json!({ "kind": "return", "value": value }),
            What::Failure { at, what, parts } => {
                let (file, line, text) = told(*at, "", "\0");
                json!({
                    "kind": "failure", "file": file, "line": line, "text": text, "undefined": what,
                    "parts": pairs(parts),
                })
            }
        };
        object["depth"] = json!(event.depth);
        object
    };
    let events: Vec<Json> = course.head.iter().chain(&course.tail).map(event).collect();
    let mut object = json!({ "events": events });
    if course.omitted > 0 {
        object["omitted"] = json!({ "after": course.head.len(), "events": course.omitted });
    }
    object
}
