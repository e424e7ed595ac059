//! Witnesses of BTOR2: an initial state and the inputs of every step.

use crate::derivation::Derivation;
use crate::system::{GoalId, System};
use nilas_term::Value;
use std::fmt::Write;

/// The witness that a derivation is, in the format that BTOR2 tools read. Inputs and states are numbered in
/// the order of the file, as `inputs` and the predicate's arguments have them.
#[must_use]
pub fn witness(system: &System, goal: GoalId, inputs: &[String], derivation: &Derivation) -> String {
    let mut text = format!("sat\nb{}\n", goal.0);
    for (step, pair) in derivation.facts.windows(2).enumerate() {
        let [before, after] = pair else { continue };
        if let Ok((predicate, values)) = &before.holds
            && step == 0
        {
            text.push_str("#0\n");
            let parameters = &system.predicate(*predicate).parameters;
            for (index, ((name, _), value)) in parameters.iter().zip(values).enumerate() {
                assignment(&mut text, index, value, name, step);
            }
        }
        // Writing to a string does not fail.
        let _ = writeln!(text, "@{step}");
        for (index, name) in inputs.iter().enumerate() {
            if let Some((_, value)) = after.inputs.iter().find(|(known, _)| known == name) {
                assignment(&mut text, index, value, name, step);
            }
        }
    }
    text.push_str(".\n");
    text
}

fn assignment(text: &mut String, index: usize, value: &Value, name: &str, step: usize) {
    match value {
        Value::BitVec(bits) => {
            let digits: String =
                (0..bits.width()).rev().map(|bit| if bits.bit(bit) { '1' } else { '0' }).collect();
            let _ = writeln!(text, "{index} {digits} {name}@{step}");
        }
        Value::Array(array) => {
            for (at, element) in &array.entries {
                if let (Value::BitVec(at), Value::BitVec(element)) = (at, element) {
                    let digits = |bits: &nilas_term::BitVec| -> String {
                        (0..bits.width()).rev().map(|bit| if bits.bit(bit) { '1' } else { '0' }).collect()
                    };
                    let _ = writeln!(text, "{index} [{}] {} {name}@{step}", digits(at), digits(element));
                }
            }
        }
        _ => {}
    }
}
