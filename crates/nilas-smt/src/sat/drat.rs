//! A plain checker for proofs of unsatisfiability.
//!
//! It goes through a proof from the front and accepts a derived clause if assuming its negation leads to
//! a false clause by unit propagation (reverse unit propagation, RUP; Goldberg and Novikov 2003, the part
//! of DRAT that our solver uses). It shares no code with any solver, and prefers being simple over being
//! fast: clauses are found through occurrence lists and evaluated in full.
//!
//! Promise: a derived clause that is accepted is implied by the original clauses that were not deleted
//! before. Deleting a clause that is not there is ignored, as in other checkers.

use super::Lit;
use super::ProofStep;
use rustc_hash::FxHashMap;
use std::fmt;

/// A derived clause that does not follow by unit propagation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// Which step of the proof it is, from 0.
    pub step: usize,
    /// The clause.
    pub clause: Vec<Lit>,
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}: the clause {:?} does not follow by unit propagation", self.step, self.clause)
    }
}

impl std::error::Error for Rejected {}

/// Clauses alive, and what follows from them by unit propagation.
#[derive(Default)]
pub struct Checker {
    clauses: Vec<Option<Vec<Lit>>>,
    /// Sorted literals to the clauses with exactly these.
    index: FxHashMap<Vec<Lit>, Vec<usize>>,
    /// Per literal, the clauses with it; deleted ones are dropped when met.
    occurrences: Vec<Vec<usize>>,
    /// Per literal, whether it is true.
    is_true: Vec<bool>,
    trail: Vec<Lit>,
    /// Clauses that were unit when they implied a literal of the trail that holds for ever.
    reasons: Vec<Option<usize>>,
    /// Whether a clause alive is false under what holds for ever.
    contradiction: bool,
    steps: usize,
}

impl Checker {
    /// A checker that knows no clause.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Goes through the next steps of a proof.
    pub fn check(&mut self, steps: &[ProofStep]) -> Result<(), Rejected> {
        for step in steps {
            match step {
                ProofStep::Original(clause) => self.add(clause),
                ProofStep::Derived(clause) => {
                    if !self.follows(clause) {
                        return Err(Rejected { step: self.steps, clause: clause.clone() });
                    }
                    self.add(clause);
                }
                ProofStep::Deleted(clause) => self.delete(clause),
            }
            self.steps += 1;
        }
        Ok(())
    }

    /// Whether the clauses alive are known to contradict each other.
    #[must_use]
    pub fn is_refuted(&self) -> bool {
        self.contradiction
    }

    /// Whether the clause follows from those alive by reverse unit propagation.
    pub fn follows(&mut self, clause: &[Lit]) -> bool {
        if self.contradiction {
            return true;
        }
        let kept = self.trail.len();
        let mut found = false;
        for &lit in clause {
            self.grow(lit);
            // True already, or its negation assumed true: the negated clause is contradictory.
            if self.is_true(lit) {
                found = true;
                break;
            }
            if !self.is_true(!lit) {
                self.make_true(!lit, None);
            }
        }
        found = found || self.propagate(kept);
        self.take_back(kept);
        found
    }

    fn grow(&mut self, lit: Lit) {
        let needed = (lit.code() | 1) as usize + 1;
        if self.is_true.len() < needed {
            self.is_true.resize(needed, false);
            self.occurrences.resize(needed, Vec::new());
        }
    }

    fn is_true(&self, lit: Lit) -> bool {
        self.is_true[lit.code() as usize]
    }

    fn make_true(&mut self, lit: Lit, reason: Option<usize>) {
        self.is_true[lit.code() as usize] = true;
        self.trail.push(lit);
        self.reasons.push(reason);
    }

    fn take_back(&mut self, len: usize) {
        for lit in self.trail.drain(len..) {
            self.is_true[lit.code() as usize] = false;
        }
        self.reasons.truncate(len);
    }

    /// Propagates the trail from `head` on; whether a clause became false.
    fn propagate(&mut self, mut head: usize) -> bool {
        while head < self.trail.len() {
            let falsified = !self.trail[head];
            head += 1;
            let mut list = std::mem::take(&mut self.occurrences[falsified.code() as usize]);
            list.retain(|&id| self.clauses[id].is_some());
            let conflict = list.iter().any(|&id| self.is_falsified(id));
            self.occurrences[falsified.code() as usize] = list;
            if conflict {
                return true;
            }
        }
        false
    }

    /// Whether the clause is false; if one literal is left, it is made true.
    fn is_falsified(&mut self, id: usize) -> bool {
        let Some(clause) = &self.clauses[id] else { return false };
        let mut left = None;
        for &lit in clause {
            if self.is_true(lit) {
                return false;
            }
            if !self.is_true(!lit) {
                if left.is_some() {
                    return false;
                }
                left = Some(lit);
            }
        }
        match left {
            Some(lit) => {
                self.make_true(lit, Some(id));
                false
            }
            None => true,
        }
    }

    fn sorted(clause: &[Lit]) -> Vec<Lit> {
        let mut sorted = clause.to_vec();
        sorted.sort_unstable();
        sorted.dedup();
        sorted
    }

    fn add(&mut self, clause: &[Lit]) {
        let sorted = Self::sorted(clause);
        let id = self.clauses.len();
        for &lit in &sorted {
            self.grow(lit);
            self.occurrences[lit.code() as usize].push(id);
        }
        self.index.entry(sorted.clone()).or_default().push(id);
        self.clauses.push(Some(sorted));
        let head = self.trail.len();
        if !self.contradiction {
            self.contradiction = self.is_falsified(id) || self.propagate(head);
        }
    }

    fn delete(&mut self, clause: &[Lit]) {
        let Some(id) = self.index.get_mut(&Self::sorted(clause)).and_then(Vec::pop) else { return };
        self.clauses[id] = None;
        // What followed from it may not hold any more.
        if self.contradiction || self.reasons.contains(&Some(id)) {
            self.take_back(0);
            self.contradiction = false;
            for id in 0..self.clauses.len() {
                let head = self.trail.len();
                if self.is_falsified(id) || self.propagate(head) {
                    self.contradiction = true;
                    break;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sat::Var;

    fn clause(numbers: &[i32]) -> Vec<Lit> {
        numbers.iter().map(|&n| Lit::new(Var(n.unsigned_abs()), n > 0)).collect()
    }

    fn originals(clauses: &[&[i32]]) -> Vec<ProofStep> {
        clauses.iter().map(|numbers| ProofStep::Original(clause(numbers))).collect()
    }

    #[test]
    fn a_clause_that_follows_is_accepted() {
        let mut checker = Checker::new();
        let mut steps = originals(&[&[1, 2], &[1, -2], &[-1, 2], &[-1, -2]]);
        steps.push(ProofStep::Derived(clause(&[1])));
        steps.push(ProofStep::Derived(clause(&[])));
        assert_eq!(checker.check(&steps), Ok(()));
        assert!(checker.is_refuted());
    }

    #[test]
    fn a_clause_that_does_not_follow_is_rejected() {
        let mut checker = Checker::new();
        let mut steps = originals(&[&[1, 2], &[1, -2, 3]]);
        steps.push(ProofStep::Derived(clause(&[1])));
        assert_eq!(checker.check(&steps), Err(Rejected { step: 2, clause: clause(&[1]) }));
    }

    #[test]
    fn what_rested_on_a_deleted_clause_is_gone() {
        let mut checker = Checker::new();
        let mut steps = originals(&[&[1], &[-1, 2], &[-2, 3, 4], &[-2, 3, -4]]);
        steps.push(ProofStep::Derived(clause(&[3])));
        steps.push(ProofStep::Deleted(clause(&[3])));
        steps.push(ProofStep::Deleted(clause(&[1])));
        assert_eq!(checker.check(&steps), Ok(()));
        assert!(checker.follows(&clause(&[-2, 3])));
        assert!(!checker.follows(&clause(&[3])));
        assert!(!checker.is_refuted());
    }
}
