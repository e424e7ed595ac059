//! Questions about floats, answered by intervals instead of circuits.
//!
//! A multiplier of floats is thousands of gates, and what holds of it is hard to show gate by gate. Often it
//! follows from where the values lie. Every term has a set of values that it can take ([`known::Known`]: an
//! interval, and whether NaN is in it), computed from those of its children ([`forward`]); what is required of
//! a term narrows its children ([`backward`]). Where some set becomes empty, nothing satisfies the formulas.
//! Otherwise a condition or the interval of a variable is split, and both halves are looked at ([`tableau`]).
//!
//! Trusted: that a set keeps every value that the term can take under what is required, and that the two
//! halves of a split are the whole. Which halves are looked at first, and when to give up, is nobody's
//! business but the clock's. Values at the ends of intervals are those of `nilas-term`, which the interpreter
//! uses, too: they are exact.

mod backward;
mod bits;
mod floats;
mod forward;
mod known;
mod tableau;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

use nilas_smt::{Budget, Reason};
use nilas_term::{Arena, Op, Sort, Term};
use rustc_hash::{FxHashMap, FxHashSet};
use tableau::Tableau;

/// Terms beyond which a question is left to the circuits.
const MOST_TERMS: usize = 20_000;

/// Evaluations of terms that a question is worth where floats are multiplied or divided, and where not.
const PATIENCE: [u64; 2] = [1_000_000, 100_000];

/// A term with its children by number. Children come first.
pub(super) struct Node {
    pub(super) op: Op,
    pub(super) sort: Sort,
    pub(super) children: Vec<usize>,
}

/// Whether intervals show that the formulas cannot hold together. *No* says nothing. Formulas without floats
/// are not looked at.
pub(crate) fn refuted(arena: &Arena, formulas: &[Term], budget: &Budget) -> Result<bool, Reason> {
    let Some((nodes, roots)) = nodes(arena, formulas) else { return Ok(false) };
    if !nodes.iter().any(|node| matches!(node.sort, Sort::Float(..))) {
        return Ok(false);
    }
    let hard = |node: &Node| matches!(node.op, Op::FpMul | Op::FpDiv | Op::FpFma | Op::FpSqrt | Op::FpRem);
    let patience = if nodes.iter().any(hard) { PATIENCE[0] } else { PATIENCE[1] };
    Tableau::new(arena, &nodes, patience, budget).refutes(&roots)
}

/// All terms below the formulas, and which of them the formulas are; nothing if there are too many.
fn nodes(arena: &Arena, formulas: &[Term]) -> Option<(Vec<Node>, Vec<usize>)> {
    let mut nodes: Vec<Node> = Vec::new();
    let mut numbers: FxHashMap<Term, usize> = FxHashMap::default();
    let mut entered: FxHashSet<Term> = FxHashSet::default();
    let mut stack: Vec<Term> = formulas.to_vec();
    while let Some(&term) = stack.last() {
        if numbers.contains_key(&term) {
            stack.pop();
        } else if entered.insert(term) {
            stack.extend(arena.children(term).iter().filter(|child| !numbers.contains_key(child)));
        } else {
            stack.pop();
            let children = arena.children(term).iter().map(|child| numbers[child]).collect();
            numbers.insert(term, nodes.len());
            nodes.push(Node { op: arena.op(term), sort: arena.sort(term).clone(), children });
            if nodes.len() > MOST_TERMS {
                return None;
            }
        }
    }
    let roots = formulas.iter().map(|formula| numbers[formula]).collect();
    Some((nodes, roots))
}
