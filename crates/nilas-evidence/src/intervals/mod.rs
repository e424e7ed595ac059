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
mod lemmas;
mod linear;
mod propagation;
mod tableau;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;

use known::Known;
pub(crate) use lemmas::Counts;
use linear::Linear;
use nilas_icp::{SimpleBound, prove};
use nilas_smt::{Budget, Reason};
use nilas_term::{Arena, Op, Sort, Term};
use propagation::{Propagation, Stop};
use rustc_hash::{FxHashMap, FxHashSet};
use tableau::Tableau;

/// Terms beyond which a question is left to the circuits.
const MOST_TERMS: usize = 20_000;

/// Evaluations of terms that a question is worth where floats are multiplied or divided, and where not.
const PATIENCE: [u64; 2] = [1_000_000, 100_000];

/// A term with its children by number. Children come first.
struct Node {
    op: Op,
    sort: Sort,
    children: Vec<usize>,
    /// What a sum is in terms of others, where that says more than its operands.
    linear: Vec<Linear>,
}

/// Evaluations before somebody else is asked for a proof, and contractions that finding one may take.
const ALONE: u64 = 300_000;
const CONTRACTIONS: u64 = 50_000;

impl Node {
    /// What an evaluation costs, in evaluations of plain operators.
    fn cost(&self) -> u64 {
        1 + 10 * self.linear.len() as u64
    }

    /// The terms that its value is computed from.
    fn sources(&self) -> impl Iterator<Item = usize> {
        self.children.iter().copied().chain(self.linear.iter().flat_map(Linear::terms))
    }
}

/// Whether intervals show that the formulas cannot hold together. *No* says nothing. Formulas without floats
/// are not looked at.
///
/// Where a few cases do not show it, the solver `icp` is asked for a proof: it learns from conflicts, and what
/// it learnt is checked here clause by clause ([`lemmas`]).
pub(crate) fn refuted(arena: &Arena, formulas: &[Term], budget: &Budget) -> Result<bool, Reason> {
    let Some((nodes, roots, _)) = nodes(arena, formulas) else { return Ok(false) };
    if !nodes.iter().any(|node| matches!(node.sort, Sort::Float(..))) {
        return Ok(false);
    }
    let hard = |node: &Node| matches!(node.op, Op::FpMul | Op::FpDiv | Op::FpFma | Op::FpSqrt | Op::FpRem);
    let patience = if nodes.iter().any(hard) { PATIENCE[0] } else { PATIENCE[1] };
    let closed = |patience| Tableau::new(arena, &nodes, patience, budget).refutes(&roots);
    if closed(ALONE)? {
        return Ok(true);
    }
    if let Some(proof) = prove(arena, formulas, CONTRACTIONS, budget)?
        && shown(arena, formulas, &proof.clauses, budget, &mut Counts::default())?
    {
        return Ok(true);
    }
    closed(patience)
}

/// Whether a proof shows that the formulas cannot hold together. *No* says nothing.
pub(crate) fn shown(
    arena: &Arena,
    formulas: &[Term],
    proof: &[Vec<SimpleBound>],
    budget: &Budget,
    counts: &mut Counts,
) -> Result<bool, Reason> {
    let Some((nodes, roots, numbers)) = nodes(arena, formulas) else { return Ok(false) };
    let mut propagation = Propagation::new(arena, &nodes, budget);
    let required = roots.iter().try_for_each(|&root| propagation.learn(root, Known::truth(true)));
    match required.map_err(Stop::from).and_then(|()| propagation.propagate()) {
        Err(Stop::Closed) => Ok(true),
        Err(Stop::Interrupted(why)) => Err(why),
        Ok(()) => lemmas::shown(propagation, &numbers, proof, counts),
    }
}

/// Terms, some of their numbers, and the numbers of all.
type Terms = (Vec<Node>, Vec<usize>, FxHashMap<Term, usize>);

/// All terms below the formulas, which of them the formulas are, and the numbers of all; nothing if there are
/// too many.
fn nodes(arena: &Arena, formulas: &[Term]) -> Option<Terms> {
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
            let sort = arena.sort(term).clone();
            nodes.push(Node { op: arena.op(term), sort, children, linear: Vec::new() });
            if nodes.len() > MOST_TERMS {
                return None;
            }
        }
    }
    linear::find(arena, &mut nodes);
    let roots = formulas.iter().map(|formula| numbers[formula]).collect();
    Some((nodes, roots, numbers))
}
