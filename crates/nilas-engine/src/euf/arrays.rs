//! Arrays that are not abstracted (the thesis compares with that as EUFORIA-NAA): instances of the axioms
//! that a model violates.
//!
//! For every element read, `select(b, j)`, and every array `b` that the model takes to be equal to `store(a,
//! i, v)`: it is `v` if `i = j` (2.17), else `select(a, j)`; and it is `v` if `b` is the constant array of
//! `v` (2.20). Extensionality is left to refinement.

use nilas_smt::euf::{Class, Partition};
use nilas_term::{Arena, Op, Term};

/// The terms about arrays in a formula, with all of its subterms.
#[derive(Default)]
pub(super) struct ArrayTerms {
    seen: rustc_hash::FxHashSet<Term>,
    selects: Vec<Term>,
    stores: Vec<Term>,
}

impl ArrayTerms {
    /// Adds those of a formula.
    pub(super) fn add(&mut self, arena: &Arena, formula: Term) {
        let mut stack = vec![formula];
        while let Some(term) = stack.pop() {
            if !self.seen.insert(term) {
                continue;
            }
            match arena.op(term) {
                Op::Select => self.selects.push(term),
                Op::Store | Op::ConstArray(_) => self.stores.push(term),
                _ => {}
            }
            stack.extend_from_slice(arena.children(term));
        }
    }

    /// Instances of axioms, as clauses, that do not hold in the model.
    pub(super) fn violated(&self, arena: &mut Arena, partition: &mut Partition<'_>) -> Vec<Vec<Term>> {
        let mut found = Vec::new();
        for &read in &self.selects {
            let &[array, index] = arena.children(read) else { continue };
            let Some(class) = partition.class(arena, array) else { continue };
            for &written in &self.stores {
                if partition.class(arena, written) != Some(class.clone()) {
                    continue;
                }
                if let Some(mut clause) = instance(arena, partition, read, index, written) {
                    let same = arena.eq(array, written);
                    clause.push(arena.not(same));
                    found.push(clause);
                }
            }
        }
        found
    }
}

/// What the axiom says of an element of this array, if the model says otherwise.
fn instance(
    arena: &mut Arena,
    partition: &mut Partition<'_>,
    read: Term,
    index: Term,
    written: Term,
) -> Option<Vec<Term>> {
    let children = arena.children(written).to_vec();
    let element: Option<Class> = partition.class(arena, read);
    let (condition, value) = match *children {
        [value] => (None, value),
        [array, at, value] => {
            let same = arena.eq(at, index);
            if partition.class(arena, at) == partition.class(arena, index) {
                (Some(arena.not(same)), value)
            } else {
                (Some(same), arena.select(array, index))
            }
        }
        _ => return None,
    };
    if element.is_some() && partition.class(arena, value) == element {
        return None;
    }
    Some(condition.into_iter().chain([arena.eq(read, value)]).collect())
}
