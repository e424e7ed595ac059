//! Cuts of a variable are cuts of what is copied into it.
//!
//! If `x := y` and `x` is compared with 5, whether `y` is 5 decides. The same holds of extensions of `y`.

use crate::classes::cuts::Cuts;
use nilas_program::{Automaton, Basic, VarId};
use nilas_term::{Arena, BitVec, Op, Sort, Term};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// A variable with more cuts gets no others from copies.
const MOST_CUTS: u32 = 64;

/// Which variables are copied into which.
pub(super) struct Copies {
    /// By variable, what is copied into it.
    into: FxHashMap<VarId, BTreeSet<VarId>>,
}

impl Copies {
    pub(super) fn new(arena: &Arena, automaton: &Automaton) -> Self {
        let index = automaton.variable_index();
        let mut into: FxHashMap<VarId, BTreeSet<VarId>> = FxHashMap::default();
        for arc in automaton.edges.iter().flat_map(|edge| edge.command.arcs()) {
            if let Basic::Assign(target, term) = arc.basic
                && let Some(source) = copied(arena, &index, term)
                && source != target
            {
                into.entry(target).or_default().insert(source);
            }
        }
        Copies { into }
    }

    /// Carries cuts over from variables to those that are copied into them, until there are no new ones.
    /// Returns the variables that have new ones.
    pub(super) fn carry(
        &self,
        automaton: &Automaton,
        cuts: &mut Cuts,
        mut waiting: Vec<VarId>,
    ) -> BTreeSet<VarId> {
        let mut changed = BTreeSet::new();
        while let Some(target) = waiting.pop() {
            for &source in self.into.get(&target).into_iter().flatten() {
                let Sort::BitVec(width) = automaton.variable(source).sort else { continue };
                if cuts.count(automaton, source) > MOST_CUTS {
                    continue;
                }
                let values: Vec<BitVec> = cuts.between(target).to_vec();
                let values = values.iter().filter_map(|value| narrowed(value, width));
                if values.fold(false, |new, value| cuts.cut(source, value) | new) {
                    changed.insert(source);
                    waiting.push(source);
                }
            }
        }
        changed
    }
}

/// The variable that a term is a copy of, perhaps extended.
fn copied(arena: &Arena, index: &FxHashMap<Term, VarId>, mut term: Term) -> Option<VarId> {
    while matches!(arena.op(term), Op::SignExtend(_) | Op::ZeroExtend(_)) {
        term = *arena.children(term).first()?;
    }
    index.get(&term).copied()
}

/// A number in fewer bits, if it is one.
fn narrowed(value: &BitVec, width: u32) -> Option<BitVec> {
    if value.width() == width {
        return Some(value.clone());
    }
    let number = value.to_i64()?;
    let half = 1_i128 << (width.min(64) - 1);
    (-half..2 * half).contains(&i128::from(number)).then(|| BitVec::from_signed(width, &number.into()))
}
