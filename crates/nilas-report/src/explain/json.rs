//! Explanations as JSON.

use super::{Busy, Explanation, Finding};
use crate::source::Source;
use crate::text::print_formula;
use nilas_program::{LocationId, Program};
use nilas_term::{Arena, Term, Value};
use serde_json::{Map, Value as Json, json};

/// One object; the words are those of the text.
#[must_use]
pub fn render(program: &Program, source: &Source, explanation: &Explanation) -> Json {
    let Explanation { engine, method, reach, seconds, busiest, finding } = explanation;
    let busiest: Vec<Json> = busiest
        .iter()
        .map(|Busy { location, work }| {
            let mut object = place(program, source, *location);
            object["work"] = counts(work);
            object
        })
        .collect();
    json!({
        "engine": engine,
        "method": method,
        "reach": counts(reach),
        "seconds": seconds,
        "busiest": busiest,
        "finding": finding_json(program, source, finding),
    })
}

fn finding_json(program: &Program, source: &Source, finding: &Finding) -> Json {
    let formulas = |arena: &Arena, terms: &[Term]| -> Vec<String> {
        terms.iter().map(|&term| print_formula(source, arena, term)).collect()
    };
    match finding {
        Finding::Proof { needed, learnt } => {
            let facts: Vec<Json> = needed
                .conjuncts
                .iter()
                .map(|(&location, conjuncts)| {
                    let mut object = place(program, source, location);
                    object["formulas"] = json!(formulas(&needed.arena, conjuncts));
                    object
                })
                .collect();
            json!({
                "kind": "proof",
                "facts": facts,
                "needed": needed.len(),
                "found": needed.before,
                "minimal": needed.complete,
                "lemmas_learnt": learnt,
            })
        }
        Finding::Unwound(unwinding) => {
            let visits: Vec<Json> = unwinding
                .visits
                .iter()
                .map(|(&location, &visits)| {
                    let mut object = place(program, source, location);
                    object["visits"] = json!(visits);
                    object
                })
                .collect();
            json!({ "kind": "unwinding", "visits": visits })
        }
        Finding::Contracts(count) => json!({ "kind": "contracts", "procedures": count }),
        Finding::Ran => json!({ "kind": "run" }),
        Finding::Execution(deciding) => {
            let print = |value: &Value| nilas_term::smtlib::print_value(value);
            let inputs: Vec<Json> = deciding
                .inputs
                .iter()
                .map(|input| {
                    json!({
                        "name": input.name,
                        "line": source.place(input.span).map(|place| place.line),
                        "value": print(&input.value),
                        "decides": input.tried.then_some(input.otherwise.is_some()),
                        "otherwise": input.otherwise.as_ref().map(print),
                    })
                })
                .collect();
            json!({ "kind": "execution", "steps": deciding.steps, "inputs": inputs, "inputs_in_all": deciding.count })
        }
        Finding::Stuck(stuck) => {
            let sequence = stuck.growth.as_ref().map(|growth| {
                json!({ "lemmas": formulas(&stuck.arena, &growth.lemmas), "one_at_a_time": growth.even })
            });
            json!({
                "kind": "stuck",
                "reason": stuck.reason,
                "at": stuck.place.map(|location| place(program, source, location)),
                "last_lemmas": formulas(&stuck.arena, &stuck.last),
                "sequence": sequence,
                "advice": stuck.advice,
            })
        }
    }
}

/// A location: its name, and where it stands in a C program.
fn place(program: &Program, source: &Source, location: LocationId) -> Json {
    let location = program.automaton.location(location);
    let at = source.place(location.span).filter(|_| source.is_c());
    json!({
        "location": location.name,
        "file": at.as_ref().map(|place| &place.file),
        "line": at.as_ref().map(|place| place.line),
        "function": source.function(location.span),
    })
}

fn counts(counts: &[(String, u64)]) -> Json {
    let counts: Map<String, Json> = counts.iter().map(|(what, count)| (what.clone(), json!(count))).collect();
    Json::Object(counts)
}
