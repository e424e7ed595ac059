//! A clause that follows by unit propagation.
//!
//! Assume that all of its literals are false; then the clauses that the step names, one after the other, each
//! make one more literal true, until one of them is false altogether (LRAT without the extension rule:
//! Cruz-Filipe, Heule, Hunt, Kaufmann and Schneider-Kamp 2017). A step costs what its clauses are long;
//! nothing is searched for.
//!
//! The derived clause is implied by those that are there.

use super::super::clauses::{BadStep, ClauseId, Clauses, Place};
use nilas_smt::sat::Lit;

impl Clauses {
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
}
