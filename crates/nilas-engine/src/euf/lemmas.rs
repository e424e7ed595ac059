//! Refinement lemmas (Def. 3.9): clauses that hold of all values, but not of all partitions.
//!
//! Those without inputs hold at every step. They are kept once and put into the solver of an edge when a
//! model of it violates them, as they are or about the state behind the edge: lemmas are told where they
//! matter.

use super::concrete::Concrete;
use nilas_program::EdgeId;
use nilas_term::{Arena, Op, Sort, Term};
use rustc_hash::FxHashSet;

/// What a lemma was learnt from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// A state that no values have.
    State,
    /// A step that no values take.
    Transition,
    /// A path of feasible steps that is none, by interpolation.
    Interpolant,
    /// The same, by one execution of its beginning.
    Simulation,
}

/// Counters of lemmas.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Count {
    pub(super) states: u64,
    pub(super) transitions: u64,
    pub(super) interpolants: u64,
    pub(super) simulations: u64,
    /// Those that introduce no term (§4.4: constraint lemmas), and the others (expansion lemmas).
    pub(super) constraints: u64,
    pub(super) expansions: u64,
    /// Those about arrays.
    pub(super) arrays: u64,
}

/// All lemmas of a run.
#[derive(Default)]
pub(super) struct Lemmas {
    /// Those that hold at every step, in the order in which they came.
    pub(super) shared: Vec<Vec<Term>>,
    is_shared: FxHashSet<Vec<Term>>,
    /// All that were ever learnt, with the edge.
    known: FxHashSet<(EdgeId, Vec<Term>)>,
    pub(super) count: Count,
    /// Operators that lemmas are about again and again.
    pub(super) concrete: Concrete,
}

impl Lemmas {
    /// Takes note of a lemma that was learnt at an edge; whether it is new.
    pub(super) fn add(
        &mut self,
        arena: &Arena,
        edge: EdgeId,
        mut clause: Vec<Term>,
        source: Source,
        expands: bool,
    ) -> bool {
        clause.sort_unstable();
        clause.dedup();
        if !self.known.insert((edge, clause.clone())) {
            return false;
        }
        let count = &mut self.count;
        *match source {
            Source::State => &mut count.states,
            Source::Transition => &mut count.transitions,
            Source::Interpolant => &mut count.interpolants,
            Source::Simulation => &mut count.simulations,
        } += 1;
        *if expands { &mut count.expansions } else { &mut count.constraints } += 1;
        count.arrays += u64::from(clause.iter().any(|&literal| mentions_arrays(arena, literal)));
        true
    }

    /// Shares a lemma that holds at every step.
    pub(super) fn share(&mut self, mut clause: Vec<Term>) {
        clause.sort_unstable();
        clause.dedup();
        if self.is_shared.insert(clause.clone()) {
            self.shared.push(clause);
        }
    }
}

fn mentions_arrays(arena: &Arena, formula: Term) -> bool {
    let (mut stack, mut seen) = (vec![formula], FxHashSet::default());
    while let Some(term) = stack.pop() {
        if !seen.insert(term) {
            continue;
        }
        if matches!(arena.op(term), Op::Select | Op::Store | Op::ConstArray(_))
            || matches!(arena.sort(term), Sort::Array(_))
        {
            return true;
        }
        stack.extend_from_slice(arena.children(term));
    }
    false
}
