//! Forgetting learnt clauses, and collecting what was deleted.
//!
//! As in Glucose and CaDiCaL, the worse half of the learnt clauses goes when there are too many, measured by
//! literal block distance, and clauses that conflicts needed lately survive once or twice. Unlike there, no
//! distance is so small that a clause stays for good: assumptions are one block, so nearly all clauses learnt
//! from easy queries have a distance of two. How many are too many starts small in each call and grows while
//! a hard one lasts: over a long stream of easy calls the learnt clauses stay few.
//!
//! Invariant: a clause that is the reason of an assigned literal is never deleted.

use super::Cdcl;
use super::arena::ClauseRef;
use super::assign::{Because, Reason, TRUE};

const LIMIT: u64 = 1500;
const LIMIT_GROWTH: u64 = 600;

/// When to forget.
#[derive(Default)]
pub(super) struct Schedule {
    limit: u64,
}

impl Schedule {
    /// A call begins.
    pub(super) fn start_call(&mut self) {
        self.limit = LIMIT;
    }
}

impl Cdcl {
    /// Forgets learnt clauses if there are too many.
    pub(super) fn reduce_when_due(&mut self) {
        if self.counters.learnt_live < self.schedule.limit {
            return;
        }
        self.reduce();
        // What is left is needed now or was needed lately.
        self.schedule.limit = self.schedule.limit.max(self.counters.learnt_live) + LIMIT_GROWTH;
        if self.arena.wants_collection() {
            self.collect_garbage();
        }
    }

    fn is_reason(&self, clause: ClauseRef) -> bool {
        let Some(first) = self.arena.lits(clause).next() else { return false };
        self.assign.value(first) == TRUE
            && self.assign.level_of(first.var()) > 0
            && self.assign.reason(first.var()) == Reason::clause(clause)
    }

    fn reduce(&mut self) {
        self.counters.reductions += 1;
        let learnts = std::mem::take(&mut self.learnts);
        let mut candidates = Vec::new();
        for &clause in &learnts {
            if self.arena.is_garbage(clause) || self.is_reason(clause) {
                continue;
            }
            let always = |lit: super::super::Lit| {
                self.assign.value(lit) == TRUE && self.assign.level_of(lit.var()) == 0
            };
            let used = self.arena.used(clause);
            if self.arena.lits(clause).any(always) {
                self.delete_clause(clause);
            } else if used > 0 {
                self.arena.set_used(clause, used - 1);
            } else {
                candidates.push(clause);
            }
        }
        candidates.sort_by_key(|&c| std::cmp::Reverse((self.arena.lbd(c), self.arena.codes(c).len())));
        candidates.truncate(candidates.len().div_ceil(2));
        for clause in candidates {
            self.delete_clause(clause);
        }
        self.learnts = learnts;
        self.learnts.retain(|&clause| !self.arena.is_garbage(clause));
    }

    /// Reclaims the words of deleted clauses. References move everywhere they are held: watch lists,
    /// reasons, the list of learnt clauses, the lists of activation variables.
    pub(super) fn collect_garbage(&mut self) {
        self.counters.collections += 1;
        self.justification.restart();
        self.learnts.retain(|&clause| !self.arena.is_garbage(clause));
        let to = self.arena.collect();
        self.watches.forward(&to);
        self.acts.forward(&to);
        for clause in &mut self.learnts {
            if let Some(new) = to.of(*clause) {
                *clause = new;
            }
        }
        for index in self.assign.start_of(1)..self.assign.trail.len() {
            let var = self.assign.trail[index].var();
            if let Because::Clause(clause) = self.assign.reason(var).because() {
                let new = to.of(clause);
                debug_assert!(new.is_some(), "the reason of an assigned literal was deleted");
                self.assign.set_reason(var, new.map_or(Reason::NOTHING, Reason::clause));
            }
        }
        debug_assert_eq!(self.watch_error(), None, "after a collection");
    }
}
