//! The checker of clauses: reverse unit propagation (Goldberg and Novikov 2003) with two watched literals.
//!
//! Promise: a clause that [`Checker::follows`] accepts is implied by the clauses added. Deleting is for speed
//! only and may be refused: what is known at the root stays, even if a clause that it came from is deleted.
//! So callers may delete only what they could leave.

use crate::sat::Lit;
use rustc_hash::FxHashMap;

/// Clauses, and the literals that follow from them at the root.
#[derive(Default)]
pub(super) struct Checker {
    /// Two watched literals first; empty where deleted.
    clauses: Vec<Box<[Lit]>>,
    /// Per literal, the clauses to look at when it becomes false.
    watches: Vec<Vec<usize>>,
    /// Clauses by their sorted literals.
    index: FxHashMap<Box<[Lit]>, Vec<usize>>,
    is_true: Vec<bool>,
    trail: Vec<Lit>,
    /// Whether the clauses contradict each other by unit propagation alone.
    refuted: bool,
}

impl Checker {
    fn grow(&mut self, clause: &[Lit]) {
        let needed = clause.iter().map(|lit| (lit.code() | 1) as usize + 1).max().unwrap_or(0);
        if self.is_true.len() < needed {
            self.is_true.resize(needed, false);
            self.watches.resize(needed, Vec::new());
        }
    }

    fn is_true(&self, lit: Lit) -> bool {
        self.is_true[lit.code() as usize]
    }

    fn assign(&mut self, lit: Lit) {
        self.is_true[lit.code() as usize] = true;
        self.trail.push(lit);
    }

    /// Adds a clause.
    pub(super) fn add(&mut self, clause: &[Lit]) {
        self.grow(clause);
        let mut lits = clause.to_vec();
        lits.sort_unstable();
        lits.dedup();
        if self.refuted || lits.iter().any(|&lit| self.is_true(lit)) {
            return;
        }
        let key: Box<[Lit]> = lits.as_slice().into();
        // What is false at the root stays false.
        lits.retain(|&lit| !self.is_true(!lit));
        match lits[..] {
            [] => self.refuted = true,
            [unit] => {
                let head = self.trail.len();
                self.assign(unit);
                self.refuted = self.propagate(head);
            }
            [first, second, ..] => {
                let id = self.clauses.len();
                self.watches[first.code() as usize].push(id);
                self.watches[second.code() as usize].push(id);
                self.index.entry(key).or_default().push(id);
                self.clauses.push(lits.into());
            }
        }
    }

    /// Forgets a clause, if it is there as it was added.
    pub(super) fn delete(&mut self, clause: &[Lit]) {
        let mut key = clause.to_vec();
        key.sort_unstable();
        key.dedup();
        if let Some(id) = self.index.get_mut(key.as_slice()).and_then(Vec::pop) {
            self.clauses[id] = Box::default();
        }
        if self.index.get(key.as_slice()).is_some_and(Vec::is_empty) {
            self.index.remove(key.as_slice());
        }
    }

    /// Whether assuming the negation of the clause leads to a false clause by unit propagation.
    pub(super) fn follows(&mut self, clause: &[Lit]) -> bool {
        self.grow(clause);
        let root = self.trail.len();
        let mut found = self.refuted;
        for &lit in clause {
            // True, or both of a variable's literals are in the clause.
            found |= self.is_true(lit);
            if !found && !self.is_true(!lit) {
                self.assign(!lit);
            }
        }
        let found = found || self.propagate(root);
        for lit in self.trail.drain(root..) {
            self.is_true[lit.code() as usize] = false;
        }
        found
    }

    /// Propagates the trail from `head` on; whether a clause became false.
    fn propagate(&mut self, mut head: usize) -> bool {
        while head < self.trail.len() {
            let falsified = !self.trail[head];
            head += 1;
            let mut list = std::mem::take(&mut self.watches[falsified.code() as usize]);
            let mut conflict = false;
            list.retain(|&id| {
                if conflict {
                    return true;
                }
                let clause = &mut self.clauses[id];
                if clause.is_empty() {
                    return false;
                }
                if clause[0] == falsified {
                    clause.swap(0, 1);
                }
                let other = clause[0];
                if self.is_true[other.code() as usize] {
                    return true;
                }
                let free = (2..clause.len()).find(|&place| !self.is_true[(!clause[place]).code() as usize]);
                if let Some(place) = free {
                    clause.swap(1, place);
                    self.watches[clause[1].code() as usize].push(id);
                    return false;
                }
                if self.is_true[(!other).code() as usize] {
                    conflict = true;
                } else {
                    self.is_true[other.code() as usize] = true;
                    self.trail.push(other);
                }
                true
            });
            self.watches[falsified.code() as usize] = list;
            if conflict {
                return true;
            }
        }
        false
    }
}
