//! The clauses that are known.
//!
//! A clause is *given* by the checker's own encoder (what constrains), *defined* by it (a gate), or *derived*
//! from clauses that are there. How they may grow is said by the rules alone ([`super::rules`]).
//!
//! Promise: whatever satisfies the given clauses can be extended to the defined variables such that it
//! satisfies all clauses. So if the empty clause, or one that excludes the assumptions, is there, then the
//! given clauses have no model under the assumptions. Deleting clauses saves memory and decides nothing,
//! since whatever was derived stays implied.

use nilas_smt::sat::{Lit, Var};
use std::fmt;

/// A clause that is there, or was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ClauseId(pub(super) u32);

impl ClauseId {
    /// The clauses from this one to another one.
    pub(crate) fn up_to(self, last: ClauseId) -> impl Iterator<Item = ClauseId> {
        (self.0..=last.0).map(ClauseId)
    }
}

/// Where the literals of a clause are; none of them where it was deleted.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) start: u32,
    pub(super) length: u32,
}

/// In place of a length: the clause was deleted.
const DELETED: u32 = u32::MAX;

/// Why a step is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BadStep {
    /// A clause that it names is not there.
    NoSuchClause,
    /// The clauses that it names do not contradict the negation of the derived one.
    DoesNotFollow,
    /// What it claims to define was there before, or more is said of it than a definition says.
    NoDefinition,
    /// There is no room for more.
    Full,
}

impl fmt::Display for BadStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BadStep::NoSuchClause => "a step names a clause that is not there",
            BadStep::DoesNotFollow => "a clause does not follow from those that the step names",
            BadStep::NoDefinition => "a step does not define a new variable",
            BadStep::Full => "the proof is too large",
        })
    }
}

/// All clauses that are known.
#[derive(Default)]
pub(crate) struct Clauses {
    pub(super) literals: Vec<Lit>,
    places: Vec<Place>,
    /// Literals of deleted clauses that still take room.
    wasted: usize,
    /// Per literal, whether it is assumed or made true in the present step.
    pub(super) is_true: Vec<bool>,
    /// The literals for which it is.
    pub(super) trail: Vec<Lit>,
    /// Per variable, whether a clause mentions it.
    mentioned: Vec<bool>,
}

impl Clauses {
    /// Takes a clause that holds.
    pub(crate) fn give(&mut self, clause: &[Lit]) -> Result<ClauseId, BadStep> {
        let full = |_| BadStep::Full;
        let id = ClauseId(u32::try_from(self.places.len()).map_err(full)?);
        let start = u32::try_from(self.literals.len()).map_err(full)?;
        let length = u32::try_from(clause.len()).map_err(full)?;
        for lit in clause {
            self.make_room(*lit);
            self.mentioned[lit.var().0 as usize] = true;
        }
        self.literals.extend_from_slice(clause);
        self.places.push(Place { start, length });
        Ok(id)
    }

    /// Forgets a clause.
    pub(crate) fn delete(&mut self, id: ClauseId) {
        let Some(place) = self.places.get_mut(id.0 as usize).filter(|place| place.length != DELETED) else {
            return;
        };
        self.wasted += place.length as usize;
        place.length = DELETED;
        if self.wasted > 1 << 20 && self.wasted > self.literals.len() / 2 {
            self.compact();
        }
    }

    /// Whether every literal of a clause is the negation of an assumption: then they contradict each other.
    pub(crate) fn excludes(&self, id: ClauseId, assumptions: &[Lit]) -> bool {
        self.place(id).is_ok() && self.literals(id).iter().all(|&lit| assumptions.contains(&!lit))
    }

    /// The literals of a clause; none where it was deleted.
    pub(crate) fn literals(&self, id: ClauseId) -> &[Lit] {
        let range = self.place(id).map(|Place { start, length }| start as usize..(start + length) as usize);
        range.map_or(&[], |range| &self.literals[range])
    }

    fn compact(&mut self) {
        let mut literals = Vec::with_capacity(self.literals.len() - self.wasted);
        for place in self.places.iter_mut().filter(|place| place.length != DELETED) {
            let start = place.start as usize;
            // It only moves down.
            place.start = literals.len() as u32;
            literals.extend_from_slice(&self.literals[start..start + place.length as usize]);
        }
        self.literals = literals;
        self.wasted = 0;
    }

    pub(super) fn place(&self, id: ClauseId) -> Result<Place, BadStep> {
        let place = self.places.get(id.0 as usize).filter(|place| place.length != DELETED);
        place.copied().ok_or(BadStep::NoSuchClause)
    }

    pub(super) fn value(&self, lit: Lit) -> Option<bool> {
        let is_true = |lit: Lit| self.is_true.get(lit.code() as usize).copied().unwrap_or(false);
        match (is_true(lit), is_true(!lit)) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }

    fn make_room(&mut self, lit: Lit) {
        let needed = (lit.code() | 1) as usize + 1;
        if self.is_true.len() < needed {
            self.is_true.resize(needed, false);
            self.mentioned.resize(needed / 2, false);
        }
    }

    /// Whether some clause mentions a variable, or did.
    pub(super) fn is_mentioned(&self, var: Var) -> bool {
        self.mentioned.get(var.0 as usize).copied().unwrap_or(false)
    }

    pub(super) fn assume(&mut self, lit: Lit) {
        self.make_room(lit);
        self.is_true[lit.code() as usize] = true;
        self.trail.push(lit);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn clause(numbers: &[i32]) -> Vec<Lit> {
        numbers.iter().map(|&n| Lit::new(Var(n.unsigned_abs()), n > 0)).collect()
    }

    #[test]
    fn room_is_reclaimed() {
        let mut clauses = Clauses::default();
        let kept = clauses.give(&clause(&[1, 2])).unwrap();
        for n in 0..600_000 {
            let id = clauses.give(&clause(&[n + 3, n + 4, n + 5])).unwrap();
            clauses.delete(id);
            clauses.delete(id);
        }
        assert!(clauses.literals.len() < 1 << 21);
        let unit = clauses.give(&clause(&[-1])).unwrap();
        assert!(clauses.derive(&clause(&[2]), &[unit, kept]).is_ok());
    }
}
