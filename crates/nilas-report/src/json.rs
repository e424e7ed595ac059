//! Verdict and evidence for programs.

use crate::explain;
use crate::headline::{Finding, headline};
use crate::report::{Checked, Report};
use crate::source::Source;
use crate::summary::{Conclusion, Reached, Summary};
use nilas_evidence::{Contract, Contracts, Evidence, Induction, Trace};
use nilas_program::{Program, text};
use nilas_term::Value;
use nilas_term::smtlib::print_value;
use serde_json::{Map, Value as Json, json};

/// The version of the objects, see `docs/answer.schema.json`. A change that breaks readers is a new one.
pub const VERSION: u32 = 1;

/// What all objects have: their version, that of Nilas, and what the user should know besides.
#[must_use]
pub fn answer(mut object: Json, nilas: &str, warnings: &[String]) -> Json {
    object["version"] = json!(VERSION);
    object["nilas"] = json!(nilas);
    object["warnings"] = json!(warnings);
    object
}

/// There is no answer: the input was refused, or something broke.
#[must_use]
pub fn error(file: &str, kind: &str, message: &str) -> Json {
    let error = json!({ "kind": kind, "message": message });
    json!({ "file": file, "verdict": "unknown", "reason": message, "error": error })
}

/// What was asked about each place, and the answer.
#[must_use]
pub fn places(report: &Report<'_>) -> Json {
    let place = |checked: &Checked| {
        let mut object = finding(&checked.finding);
        object["verdict"] = json!(checked.verdict);
        object["reason"] = json!(checked.reason);
        object["execution"] = json!(checked.reached.as_ref().map(reached));
        if let (Some(source), Some(it)) = (report.source, &checked.course) {
            object["trace"] = course(source, it);
        }
        if let Some(it) = &checked.confirmation {
            object["confirmation"] = json!({ "confirmed": it.confirmed, "text": it.text });
        }
        object
    };
    report.checked.iter().map(place).collect()
}

/// One object: verdict, reason, assumptions, engine, evidence (where it is asked for), statistics.
#[must_use]
pub fn object(program: &Program, source: &Source, summary: &Summary, evidence: bool) -> Json {
    let asked = evidence;
    let (reason, evidence) = match &summary.conclusion {
        Conclusion::Safe(found) | Conclusion::Unsafe(found) if evidence => {
            (Json::Null, evidence_json(program, source, found, summary.trace.as_ref()))
        }
        Conclusion::Safe(_) | Conclusion::Unsafe(_) => (Json::Null, Json::Null),
        Conclusion::Reached(found) if evidence => (Json::Null, reached(found)),
        Conclusion::Reached(_) => (Json::Null, Json::Null),
        Conclusion::Unknown(why) => (json!(why.text), Json::Null),
    };
    let statistics: Map<String, Json> = summary
        .statistics
        .iter()
        .map(|(group, counters)| {
            let counters: Map<String, Json> =
                counters.iter().map(|(name, count)| (name.clone(), json!(count))).collect();
            (group.clone(), Json::Object(counters))
        })
        .collect();
    let assumptions: Vec<Json> = summary
        .assumptions
        .iter()
        .map(|assumption| {
            let place = source.place(assumption.span);
            let place = place.map(|place| json!({ "file": place.file, "line": place.line }));
            json!({ "kind": assumption.kind, "text": assumption.text, "place": place })
        })
        .collect();
    let mut object = json!({
        "file": source.name(),
        "verdict": summary.conclusion.word(),
        "headline": headline(source, summary),
        "reason": reason,
        "violation": summary.finding.as_ref().map(finding),
        "assumptions": assumptions,
        "engine": summary.engine,
        "evidence": evidence,
        "statistics": statistics,
    });
    match &summary.replayed {
        Some(Ok(repeated)) => object["replayed"] = reached(repeated),
        Some(Err(why)) => object["not_replayed"] = json!(why),
        None => {}
    }
    if let Some(course) = summary.course.as_ref().filter(|_| asked) {
        object["trace"] = crate::course::json(source, course);
    }
    if let Some(explanation) = &summary.explanation {
        object["explanation"] = explain::json(program, source, explanation);
    }
    if !summary.reach.is_empty() {
        let reach = summary.reach.iter().filter(|it| !it.engine.is_empty()).map(
            |it| json!({ "engine": it.engine, "steps": it.steps, "lemmas": it.lemmas, "nodes": it.nodes }),
        );
        object["reach"] = reach.collect();
    }
    object
}

/// A property at a place.
#[must_use]
pub fn finding(finding: &Finding) -> Json {
    json!({
        "property": finding.property.name(),
        "what": finding.what,
        "file": finding.file,
        "line": finding.line,
        "column": finding.column,
        "expression": finding.expression,
    })
}

/// What an execution of the C program does.
#[must_use]
pub fn course(source: &Source, course: &nilas_run::trace::Course) -> Json {
    crate::course::json(source, course)
}

/// An execution of the C program.
#[must_use]
pub fn reached(reached: &Reached) -> Json {
    let choices = reached.choices.iter().map(
        |made| json!({ "kind": made.kind, "name": made.name, "place": made.place, "value": made.value }),
    );
    let stack = reached.stack.iter().map(|(function, place)| json!({ "function": function, "place": place }));
    json!({
        "kind": "choices",
        "what": reached.what,
        "place": reached.place,
        "stack": stack.collect::<Vec<_>>(),
        "choices": choices.collect::<Vec<_>>(),
    })
}

fn evidence_json(program: &Program, source: &Source, evidence: &Evidence, trace: Option<&Trace>) -> Json {
    let automaton = &program.automaton;
    match evidence {
        Evidence::Invariant(invariant) => {
            let formulas: Vec<Json> = invariant
                .formulas
                .iter()
                .map(|(&location, &formula)| {
                    json!({
                        "location": automaton.location(location).name,
                        "line": source.place(automaton.location(location).span).map(|place| place.line),
                        "formula": text::print_expression(&invariant.arena, formula),
                        "smtlib": nilas_term::smtlib::print_term(&invariant.arena, formula),
                    })
                })
                .collect();
            let Induction { k, simple } = invariant.induction;
            json!({ "kind": "invariant", "induction": k, "simple": simple, "formulas": formulas })
        }
        Evidence::Unwinding(unwinding) => {
            let visits: Vec<Json> = unwinding
                .visits
                .iter()
                .map(|(&location, visits)| json!({ "location": automaton.location(location).name, "visits": visits }))
                .collect();
            json!({ "kind": "unwinding", "visits": visits })
        }
        Evidence::Run => json!({ "kind": "run" }),
        Evidence::Contracts(Contracts { arena, procedures, formulas }) => {
            let formula = |formula| text::print_expression(arena, formula);
            let procedures: Vec<Json> = procedures
                .iter()
                .map(|(name, Contract { requires, ensures })| {
                    json!({ "procedure": name, "requires": formula(*requires), "ensures": formula(*ensures) })
                })
                .collect();
            let formulas: Vec<Json> = formulas
                .iter()
                .map(|(location, &term)| json!({ "location": location, "formula": formula(term) }))
                .collect();
            json!({ "kind": "contracts", "procedures": procedures, "formulas": formulas })
        }
        Evidence::Execution(_) => {
            let Some(trace) = trace else { return Json::Null };
            let named = |id: nilas_program::VarId, value: &Value| json!({ "variable": automaton.variable(id).name, "value": print_value(value) });
            let initial: Vec<Json> =
                automaton.variable_ids().map(|id| named(id, &trace.initial[id.index()])).collect();
            let steps: Vec<Json> = trace
                .steps
                .iter()
                .map(|step| {
                    let edge = automaton.edge(step.edge);
                    let place = source.place(edge.span);
                    let inputs = step.inputs.iter().map(|(site, value)| named(automaton.havoc(*site).variable, value));
                    json!({
                        "from": automaton.location(edge.source).name,
                        "to": automaton.location(edge.target).name,
                        "file": place.as_ref().map(|place| &place.file),
                        "line": place.as_ref().map(|place| place.line),
                        "inputs": inputs.collect::<Vec<_>>(),
                        "changes": step.changes.iter().map(|(id, value)| named(*id, value)).collect::<Vec<_>>(),
                    })
                })
                .collect();
            let mut told = json!({ "kind": "execution", "initial": initial, "steps": steps });
            if trace.omitted > 0 {
                told["omitted"] = json!({ "after": steps.len() / 2, "steps": trace.omitted });
            }
            told
        }
    }
}
