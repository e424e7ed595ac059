//! Symbols of formulas: variables and uninterpreted functions.

use nilas_term::{Arena, Op, SymbolId, Term};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The symbols that occur in terms.
pub(super) fn symbols(arena: &Arena, terms: &[Term]) -> BTreeSet<SymbolId> {
    let mut seen: FxHashSet<Term> = FxHashSet::default();
    let mut found = BTreeSet::new();
    let mut stack = terms.to_vec();
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Op::Var(symbol) | Op::Apply(symbol) = arena.op(term) {
            found.insert(symbol);
        }
        stack.extend(arena.children(term).iter().filter(|child| !seen.contains(child)));
    }
    found
}

/// The conjuncts of terms: conjunctions fall apart, negated disjunctions too. Each once, in order; true ones
/// not at all.
pub(super) fn conjuncts(arena: &mut Arena, terms: &[Term]) -> Vec<Term> {
    let mut seen: FxHashSet<(Term, bool)> = FxHashSet::default();
    let mut result = Vec::new();
    let mut stack: Vec<(Term, bool)> = terms.iter().rev().map(|&term| (term, true)).collect();
    while let Some((term, value)) = stack.pop() {
        if !seen.insert((term, value)) {
            continue;
        }
        match arena.op(term) {
            Op::Not => stack.extend(arena.children(term).iter().map(|&child| (child, !value))),
            Op::And if value => stack.extend(arena.children(term).iter().rev().map(|&child| (child, value))),
            Op::Or if !value => stack.extend(arena.children(term).iter().rev().map(|&child| (child, value))),
            _ => {
                let literal = if value { term } else { arena.not(term) };
                if arena.as_bool(literal) != Some(true) {
                    result.push(literal);
                }
            }
        }
    }
    result
}
