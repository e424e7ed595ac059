//! Clauses, and the one rule by which they grow.
//!
//! A clause is *given* by the checker's own encoder, or *derived* from clauses that are there: assume that all
//! of its literals are false; then the clauses that a step names, one after the other, each make one more
//! literal true, until one of them is false altogether (LRAT without the extension rule: Cruz-Filipe, Heule,
//! Hunt, Kaufmann and Schneider-Kamp 2017). A step costs what its clauses are long; nothing is searched for.
//!
//! Promise: every derived clause is implied by the given ones. Deleting clauses saves memory and decides
//! nothing, since whatever was derived stays implied.

use nilas_smt::sat::Lit;
use std::fmt;

/// A clause that is there, or was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ClauseId(u32);

impl ClauseId {
    /// The clauses from this one to another one.
    pub(crate) fn up_to(self, last: ClauseId) -> impl Iterator<Item = ClauseId> {
        (self.0..=last.0).map(ClauseId)
    }
}

/// Where the literals of a clause are; none of them where it was deleted.
#[derive(Clone, Copy)]
struct Place {
    start: u32,
    length: u32,
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
    /// There is no room for more.
    Full,
}

impl fmt::Display for BadStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BadStep::NoSuchClause => "a step names a clause that is not there",
            BadStep::DoesNotFollow => "a clause does not follow from those that the step names",
            BadStep::Full => "the proof is too large",
        })
    }
}

/// All clauses that are known.
#[derive(Default)]
pub(crate) struct Clauses {
    literals: Vec<Lit>,
    places: Vec<Place>,
    /// Literals of deleted clauses that still take room.
    wasted: usize,
    /// Per literal, whether it is assumed or made true in the present step.
    is_true: Vec<bool>,
    /// The literals for which it is.
    trail: Vec<Lit>,
}

impl Clauses {
    /// Takes a clause that holds.
    pub(crate) fn give(&mut self, clause: &[Lit]) -> Result<ClauseId, BadStep> {
        let full = |_| BadStep::Full;
        let id = ClauseId(u32::try_from(self.places.len()).map_err(full)?);
        let start = u32::try_from(self.literals.len()).map_err(full)?;
        let length = u32::try_from(clause.len()).map_err(full)?;
        for lit in clause {
            let needed = (lit.code() | 1) as usize + 1;
            if self.is_true.len() < needed {
                self.is_true.resize(needed, false);
            }
        }
        self.literals.extend_from_slice(clause);
        self.places.push(Place { start, length });
        Ok(id)
    }

    /// Takes a clause that follows from the clauses named, in the order named.
    pub(crate) fn derive(&mut self, clause: &[Lit], from: &[ClauseId]) -> Result<ClauseId, BadStep> {
        let follows = self.contradict(clause, from);
        for lit in self.trail.drain(..) {
            self.is_true[lit.code() as usize] = false;
        }
        if !follows? {
            return Err(BadStep::DoesNotFollow);
        }
        self.give(clause)
    }

    /// Whether the negation of a clause and the clauses named contradict each other by unit propagation.
    fn contradict(&mut self, clause: &[Lit], from: &[ClauseId]) -> Result<bool, BadStep> {
        for &lit in clause {
            if self.value(lit) == Some(true) {
                // Its negation is in the clause, too: one of them is true.
                return Ok(true);
            }
            self.assume(!lit);
        }
        for &id in from {
            let Place { start, length } = self.place(id)?;
            let mut open = None;
            let mut says_nothing = false;
            for at in start..start + length {
                let lit = self.literals[at as usize];
                match self.value(lit) {
                    Some(false) => {}
                    None if open.is_none_or(|other| other == lit) => open = Some(lit),
                    None | Some(true) => says_nothing = true,
                }
            }
            match open {
                _ if says_nothing => {}
                None => return Ok(true),
                Some(lit) => self.assume(lit),
            }
        }
        Ok(false)
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

    fn place(&self, id: ClauseId) -> Result<Place, BadStep> {
        let place = self.places.get(id.0 as usize).filter(|place| place.length != DELETED);
        place.copied().ok_or(BadStep::NoSuchClause)
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        let is_true = |lit: Lit| self.is_true.get(lit.code() as usize).copied().unwrap_or(false);
        match (is_true(lit), is_true(!lit)) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        }
    }

    fn assume(&mut self, lit: Lit) {
        let needed = (lit.code() | 1) as usize + 1;
        if self.is_true.len() < needed {
            self.is_true.resize(needed, false);
        }
        self.is_true[lit.code() as usize] = true;
        self.trail.push(lit);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use nilas_smt::sat::Var;

    fn clause(numbers: &[i32]) -> Vec<Lit> {
        numbers.iter().map(|&n| Lit::new(Var(n.unsigned_abs()), n > 0)).collect()
    }

    /// Clauses (1 2), (1 -2), (-1 3), (-3 4).
    fn given() -> (Clauses, Vec<ClauseId>) {
        let mut clauses = Clauses::default();
        let given: [&[i32]; 4] = [&[1, 2], &[1, -2], &[-1, 3], &[-3, 4]];
        let ids = given.iter().map(|numbers| clauses.give(&clause(numbers)).unwrap()).collect();
        (clauses, ids)
    }

    #[test]
    fn what_follows_is_taken() {
        let (mut clauses, ids) = given();
        let one = clauses.derive(&clause(&[1]), &[ids[0], ids[1]]).unwrap();
        let four = clauses.derive(&clause(&[4]), &[one, ids[2], ids[3]]).unwrap();
        assert!(clauses.excludes(four, &clause(&[-4])));
        assert!(clauses.excludes(four, &clause(&[7, -4])));
        assert!(!clauses.excludes(four, &clause(&[4])));
        assert!(clauses.derive(&clause(&[5, -5]), &[]).is_ok(), "a tautology");
    }

    #[test]
    fn wrong_steps_are_refused() {
        let (mut clauses, ids) = given();
        let refused = Err(BadStep::DoesNotFollow);
        assert_eq!(clauses.derive(&clause(&[1]), &[ids[0]]), refused, "a clause is missing");
        assert_eq!(clauses.derive(&clause(&[2]), &[ids[0], ids[1]]), refused, "it does not follow");
        assert_eq!(clauses.derive(&clause(&[]), &ids), refused, "there is a model");
        assert_eq!(
            clauses.derive(&clause(&[4]), &[ids[2], ids[3], ids[0], ids[1]]),
            refused,
            "another order"
        );
        assert_eq!(clauses.derive(&clause(&[1]), &[ClauseId(99)]), Err(BadStep::NoSuchClause));
        clauses.delete(ids[0]);
        assert_eq!(clauses.derive(&clause(&[1]), &[ids[0], ids[1]]), Err(BadStep::NoSuchClause));
        assert!(!clauses.excludes(ids[0], &clause(&[-1, -2])), "it is deleted");
        // Nothing of a refused step is left.
        assert!(clauses.derive(&clause(&[-1, 4]), &[ids[2], ids[3]]).is_ok());
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
