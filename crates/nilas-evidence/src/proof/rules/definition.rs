//! A new variable as a function of older ones: how circuits are opened.
//!
//! No clause may have mentioned the variable before, and each clause of the definition does. Any two of them
//! that have it in opposite signs must disagree in another variable, too: then whatever values the other
//! variables have, at most one of the two signs is asked for. So there is always a value for the new
//! variable, and nothing is said about the others (Tseitin 1968; Kullmann 1999 on blocked clauses).
//!
//! What the variable *means* is the encoder's to say; that no circuit can make a question unsatisfiable by
//! itself is checked here.

use super::super::clauses::{BadStep, ClauseId, Clauses};
use nilas_smt::sat::{Lit, Var};

impl Clauses {
    /// Takes the clauses that define a new variable; the first and the last of them.
    pub(crate) fn define(&mut self, new: Var, clauses: &[&[Lit]]) -> Result<(ClauseId, ClauseId), BadStep> {
        if self.is_mentioned(new) || !self.says_nothing_else(new, clauses) {
            return Err(BadStep::NoDefinition);
        }
        let mut range: Option<(ClauseId, ClauseId)> = None;
        for clause in clauses {
            let id = self.give(clause)?;
            range = Some((range.map_or(id, |(first, _)| first), id));
        }
        range.ok_or(BadStep::NoDefinition)
    }

    /// Whether the clauses only ever ask for one sign of the variable.
    fn says_nothing_else(&mut self, new: Var, clauses: &[&[Lit]]) -> bool {
        let positive = Lit::new(new, true);
        let has_one_sign = |clause: &&[Lit]| clause.contains(&positive) != clause.contains(&!positive);
        if !clauses.iter().all(has_one_sign) {
            return false;
        }
        let (with, without): (Vec<&[Lit]>, Vec<&[Lit]>) =
            clauses.iter().partition(|clause| clause.contains(&positive));
        with.iter().all(|clause| {
            for &lit in *clause {
                self.assume(lit);
            }
            let mut others = without.iter();
            let clash = others
                .all(|other| other.iter().any(|&lit| lit.var() != new && self.value(lit) == Some(false)));
            for lit in self.trail.drain(..) {
                self.is_true[lit.code() as usize] = false;
            }
            clash
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn defined(given: &[&[i32]], new: u32, definition: &[&[i32]]) -> bool {
        let clause = |numbers: &&[i32]| -> Vec<Lit> {
            numbers.iter().map(|&n| Lit::new(Var(n.unsigned_abs()), n > 0)).collect()
        };
        let mut clauses = Clauses::default();
        for clause in given.iter().map(clause) {
            clauses.give(&clause).unwrap();
        }
        let definition: Vec<Vec<Lit>> = definition.iter().map(clause).collect();
        let definition: Vec<&[Lit]> = definition.iter().map(Vec::as_slice).collect();
        clauses.define(Var(new), &definition).is_ok()
    }

    #[test]
    fn gates_are_definitions() {
        assert!(defined(&[], 3, &[&[-3, 1], &[-3, 2], &[3, -1, -2]]), "and");
        assert!(
            defined(&[&[1, 2]], 3, &[&[-3, 1, 2], &[-3, -1, -2], &[3, -1, 2], &[3, 1, -2]]),
            "exclusive or"
        );
        assert!(defined(&[], 4, &[&[-4, 1, 2, 3], &[4, -1], &[4, -2], &[4, -3]]), "or");
        assert!(defined(&[], 3, &[&[-3, 1], &[-3, 2]]), "less than a function does no harm");
    }

    #[test]
    fn what_says_more_is_refused() {
        assert!(!defined(&[&[3]], 3, &[&[-3, 1], &[-3, 2], &[3, -1, -2]]), "it was there before");
        assert!(!defined(&[], 3, &[&[-3, 1], &[-3, 2], &[3, -1]]), "3 is 1, and implies 2: so 1 implies 2");
        assert!(!defined(&[], 3, &[&[-3, 1], &[-3, 2], &[3, -1, -2], &[1, 2]]), "a clause about others");
        assert!(!defined(&[], 3, &[&[3], &[-3]]), "a contradiction");
        assert!(!defined(&[], 3, &[&[3, -3, 1]]), "both signs");
        assert!(!defined(&[], 3, &[]), "nothing");
    }
}
