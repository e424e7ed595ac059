//! The terms that obligations may be made of.
//!
//! These are the terms of the program, what projection makes of them, and what refinements have added. There
//! are finitely many, so there are finitely many cubes over them, and the search between two refinements ends
//! (Theorem 3.2): going back through a loop may not make `x + 1`, `x + 2`, `x + 3` and so on.

use nilas_term::{Arena, Sort, Term};
use rustc_hash::FxHashSet;

/// A set of terms that only grows.
#[derive(Default)]
pub(super) struct Vocabulary {
    terms: FxHashSet<Term>,
}

impl Vocabulary {
    /// Adds the terms of a formula or term; whether one is new.
    pub(super) fn add(&mut self, arena: &Arena, term: Term) -> bool {
        let before = self.terms.len();
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            if self.terms.insert(term) {
                stack.extend_from_slice(arena.children(term));
            }
        }
        self.terms.len() > before
    }

    /// Whether a literal is made of these terms. Leaves belong to every vocabulary, and so do predicates and
    /// equalities of terms that do.
    pub(super) fn covers(&self, arena: &Arena, literal: Term) -> bool {
        let mut stack = vec![literal];
        while let Some(term) = stack.pop() {
            if self.terms.contains(&term) || arena.op(term).is_leaf() {
                continue;
            }
            if *arena.sort(term) != Sort::Bool {
                return false;
            }
            stack.extend_from_slice(arena.children(term));
        }
        true
    }

    pub(super) fn len(&self) -> usize {
        self.terms.len()
    }
}
