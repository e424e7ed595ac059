//! Formulas as C writes them, for people.
//!
//! A bit-vector has no sign; the variables of the program have one ([`Scalars`]). Each term becomes a piece
//! of C whose value, by the rules of C, is the term's ([`expression`]); casts stand only where these rules
//! ask for them. What comparisons with constants say about one value is gathered as intervals ([`interval`])
//! and told as a range. [`shape`] does that for conjunctions and disjunctions.
//!
//! The names of locals lose their function where that leaves no doubt. What C has no operator for is written
//! as a call.

mod bound;
mod choice;
mod expression;
mod float;
mod interval;
mod readable;
mod shape;

use crate::scalar::Scalars;
use expression::{Text, Writer};
use nilas_term::{Arena, Sort, Term};
use rustc_hash::FxHashMap;
use shape::Shape;

/// Longer pieces are cut: they say nothing to a person.
const LONGEST: usize = 2_000;

/// A formula in one line.
#[must_use]
pub fn print(arena: &Arena, formula: Term, scalars: &Scalars) -> String {
    shaped(arena, &[formula], scalars).whole().text
}

/// The facts that a formula is the conjunction of, the most telling ones first: relations between variables,
/// ranges, and then what holds only in some cases. Of `true` there is none; `false` is one that says so.
#[must_use]
pub fn facts(arena: &Arena, formula: Term, scalars: &Scalars) -> Vec<String> {
    shaped(arena, &[formula], scalars).facts()
}

/// The same of several formulas that all hold.
#[must_use]
pub fn facts_of(arena: &Arena, formulas: &[Term], scalars: &Scalars) -> Vec<String> {
    shaped(arena, formulas, scalars).facts()
}

/// The facts that a person can read, and how many are left out: those that compute with the numbers that
/// stand for addresses, and those with cases inside of cases.
#[must_use]
pub fn readable_facts(arena: &Arena, formula: Term, scalars: &Scalars) -> Vec<String> {
    let conjuncts = match arena.op(formula) {
        nilas_term::Op::And => arena.children(formula),
        _ => &[formula],
    };
    let (kept, left): (Vec<Term>, Vec<Term>) =
        conjuncts.iter().partition(|&&conjunct| readable::is_readable(arena, conjunct, scalars));
    let mut facts = if kept.is_empty() { Vec::new() } else { facts_of(arena, &kept, scalars) };
    match left.len() {
        0 => {}
        1 => facts.push("… and a fact about addresses or with many cases".to_owned()),
        count => facts.push(format!("… and {count} facts about addresses or with many cases")),
    }
    facts
}

/// Whether a formula is one of which no state is.
#[must_use]
pub fn is_never(arena: &Arena, formula: Term) -> bool {
    arena.as_bool(formula) == Some(false)
}

/// The conjunction of formulas.
fn shaped(arena: &Arena, formulas: &[Term], scalars: &Scalars) -> Shape {
    let mut writer = Writer::new(arena, formulas, scalars);
    let mut shapes: FxHashMap<Term, Shape> = FxHashMap::default();
    let mut stack = formulas.to_vec();
    while let Some(&top) = stack.last() {
        let known = |term: &Term| shapes.contains_key(term) || writer.texts.contains_key(term);
        if known(&top) {
            stack.pop();
            continue;
        }
        let before = stack.len();
        stack.extend(arena.children(top).iter().filter(|child| !known(child)));
        if stack.len() > before {
            continue;
        }
        if *arena.sort(top) == Sort::Bool {
            let shape = shape::of(&mut writer, top, &shapes);
            // Those who take it as an operand need its text.
            let text = shape.whole();
            writer.texts.insert(top, cut(text));
            shapes.insert(top, shape);
        } else {
            let text = writer.expression(top);
            writer.texts.insert(top, cut(text));
        }
        stack.pop();
    }
    match formulas {
        [formula] => shapes.remove(formula).unwrap_or_else(Shape::holds),
        several => Shape::joined(false, several.iter().filter_map(|formula| shapes.get(formula))),
    }
}

fn cut(text: Text) -> Text {
    if text.text.len() <= LONGEST { text } else { Text { text: "…".to_owned(), level: 0, ..text } }
}

#[cfg(test)]
mod tests;
