//! Arrays as arguments of uninterpreted functions.
//!
//! An array has no bits of its own that a cell could be found by. So each array that a function is applied to
//! gets a number: that of the first one before it that is equal to it, or one that is new. Equality of arrays
//! is an equivalence once refinement is done, so two arrays have the same number if and only if they are
//! equal, and the congruence of functions need not know about arrays. Numbers are circuits over the
//! equalities; nothing is constrained.

use super::theory::Word;
use super::{Blaster, Lit};
use crate::budget::Interrupt;
use crate::sat::SatSolver;
use nilas_term::{Arena, Sort, Term};

/// There are fewer terms than numbers of so many bits.
const BITS: usize = 32;

impl<S: SatSolver> Blaster<S> {
    /// The literals that stand for an argument of a function.
    pub(super) fn argument(&mut self, arena: &Arena, argument: Term) -> Result<Vec<Lit>, Interrupt> {
        let sort = arena.sort(argument);
        if !matches!(sort, Sort::Array(_)) {
            return Ok(self.bits(arena, argument));
        }
        let known: Vec<(Term, Word)> = self.array_arguments(sort).to_vec();
        if let Some((_, number)) = known.iter().find(|(other, _)| *other == argument) {
            return Ok(number.to_vec());
        }
        let own = known.len();
        let mut number: Vec<Lit> = (0..BITS).map(|bit| self.gates.constant(own >> bit & 1 == 1)).collect();
        // The first one that is equal decides, so it is the outermost choice.
        for (other, its_number) in known.iter().rev() {
            let same = self.array_equality(arena, *other, argument)?;
            number = self.gates.choose(same, its_number, &number)?;
        }
        let entry = (argument, number.as_slice().into());
        self.theory.arguments.entry(sort.clone()).or_default().push(entry);
        Ok(number)
    }

    /// The arrays of a sort that functions are applied to, with their numbers.
    pub(crate) fn array_arguments(&self, sort: &Sort) -> &[(Term, Word)] {
        self.theory.arguments.get(sort).map_or(&[], Vec::as_slice)
    }
}
