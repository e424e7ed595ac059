//! The predicates of all locations. They only ever grow.

use crate::atoms::atoms;
use crate::transition::holds;
use nilas_program::LocationId;
use nilas_smt::{Reason, Solver};
use nilas_term::{Arena, Cube, Term};
use rustc_hash::FxHashSet;

/// By location, in the order in which they came.
pub(super) struct Predicates {
    of: Vec<Vec<Term>>,
    known: FxHashSet<(LocationId, Term)>,
}

impl Predicates {
    pub(super) fn new(locations: usize) -> Self {
        Predicates { of: vec![Vec::new(); locations], known: FxHashSet::default() }
    }

    /// How many there are, at all locations together.
    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    /// Adds what a formula is a Boolean combination of; whether some of it is new.
    pub(super) fn add(&mut self, arena: &Arena, location: LocationId, formula: Term) -> bool {
        let mut new = false;
        for atom in atoms(arena, formula) {
            if self.known.insert((location, atom)) {
                self.of[location.index()].push(atom);
                new = true;
            }
        }
        new
    }

    /// The abstract state at a location: what its predicates say about the model that a solver has.
    pub(super) fn state(
        &self,
        arena: &mut Arena,
        location: LocationId,
        solver: &mut dyn Solver,
    ) -> Result<Cube, Reason> {
        let mut literals = Vec::with_capacity(self.of[location.index()].len());
        for &predicate in &self.of[location.index()] {
            let holds = holds(solver, arena, predicate)?;
            literals.push(if holds { predicate } else { arena.not(predicate) });
        }
        Ok(Cube::new(literals))
    }
}
