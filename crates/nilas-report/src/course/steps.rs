//! An execution as a list of lines with what happened there, for reports of machines.

use super::text::{place, statement};
use crate::report::Step;
use crate::source::Source;
use nilas_run::trace::{Course, Event, What};

/// Steps that a report has; of longer executions the last ones.
const MOST: usize = 1_000;

/// The steps of an execution.
pub(crate) fn steps(source: &Source, course: &Course) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for Event { depth, what, .. } in course.head.iter().chain(&course.tail) {
        let note = match what {
            What::Statement { at, text, core } | What::Loop { at, text, core } => {
                if let Some(place) = place(source, *at) {
                    let text = statement(&place, text, core);
                    steps.push(Step { file: place.file, line: place.line, text, depth: *depth });
                }
                continue;
            }
            What::Failure { at, what, parts } => {
                let parts: Vec<String> =
                    parts.iter().map(|(text, value)| format!("{text} = {value}")).collect();
                let parts = if parts.is_empty() { String::new() } else { format!(": {}", parts.join(", ")) };
                let text = match what {
                    Some(what) => format!("{what}{parts}"),
                    None => format!("fails{parts}"),
                };
                if let Some(place) = place(source, *at) {
                    steps.push(Step { file: place.file, line: place.line, text, depth: *depth });
                }
                continue;
            }
            What::Branch(holds) => holds.to_string(),
            What::Case(text) | What::Choice(text) => text.clone(),
            What::Change { name, value, .. } => format!("{name} = {value}"),
            What::Input { name, value } => format!("input {name} = {value}"),
            What::Uninitialised { name, value } => format!("uninitialised {name} = {value}"),
            What::Iteration(number) => format!("iteration {number}"),
            What::Enter { function, arguments } => {
                let arguments: Vec<String> =
                    arguments.iter().map(|(name, value)| format!("{name} = {value}")).collect();
                format!("{function}({})", arguments.join(", "))
            }
            What::Leave(Some(value)) => format!("returns {value}"),
            What::Leave(None) | What::LoopEnds => continue,
        };
        if let Some(step) = steps.last_mut() {
            let separator = if step.text.contains("   // ") { "; " } else { "   // " };
            step.text.push_str(separator);
            step.text.push_str(&note);
        }
    }
    steps.split_off(steps.len().saturating_sub(MOST))
}
