//! How clauses get in: root clauses, gates, clauses under activation variables; and out again.
//!
//! All kinds are stored alike. The kind only says when the variables of the clause are in the cone: always
//! for root clauses, never on its own account for a gate (its output brings it), and in calls that assume
//! the activation variable for a guarded one. Whatever is not as promised (an input younger than its
//! output, a gate declared twice, a clause of a gate without its output) is taken as a root clause, which
//! is always sound.
//!
//! Invariant: literals that are false for ever are left out and clauses that are true for ever are not
//! stored, so the first two literals of a new clause are fit to be watched.

use super::super::{Lit, Var};
use super::Cdcl;
use super::arena::ClauseRef;
use super::assign::{FALSE, Reason, TRUE};

/// When the variables of a clause are in the cone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Always, or with the activation variable if the clause contains one.
    Constraint,
    /// When the output of the gate is, which becomes the first literal: it is watched, and blocks the
    /// visits of the other watch while it is outside the cone.
    Gate(Var),
}

impl Cdcl {
    /// Adds a clause that constrains for ever; one with `¬a` for an activation variable `a` constrains
    /// when `a` is assumed.
    pub(super) fn add_root_clause(&mut self, clause: &[Lit]) {
        self.add(clause, None, Kind::Constraint);
    }

    /// Adds a clause with the literal `guard` besides.
    pub(super) fn add_guarded_clause(&mut self, guard: Lit, clause: &[Lit]) {
        self.add(clause, Some(guard), Kind::Constraint);
    }

    /// Declares a gate and adds its clauses.
    pub(super) fn declare_gate(&mut self, output: Var, inputs: &[Lit], clauses: &[&[Lit]]) {
        self.reset();
        self.grow_to(output);
        let mut fan_in: Vec<Var> = inputs.iter().map(|lit| lit.var()).collect();
        fan_in.extend(clauses.iter().flat_map(|clause| clause.iter().map(|lit| lit.var())));
        fan_in.sort_unstable();
        fan_in.dedup();
        fan_in.retain(|&var| var != output);
        let in_order = fan_in.last().is_none_or(|&youngest| youngest < output);
        let total = clauses.iter().all(|clause| clause.iter().any(|lit| lit.var() == output));
        if !in_order || !total || self.cone.is_gate(output) {
            for clause in clauses {
                self.add(clause, None, Kind::Constraint);
            }
            return;
        }
        for &var in fan_in.iter().chain([&output]) {
            self.pin(var);
        }
        self.cone.declare(output, &fan_in, &mut self.assign);
        self.justification.add_gate(output, clauses);
        if self.assign.is_assigned(output) {
            self.root_changed = true;
        }
        let fresh = [output.lit(), !output.lit()].map(|lit| self.watches.ternary(lit).is_empty());
        for clause in clauses {
            self.add(clause, None, Kind::Gate(output));
        }
        for (lit, fresh) in [output.lit(), !output.lit()].into_iter().zip(fresh) {
            if fresh {
                self.watches.note_own(lit);
            }
        }
    }

    /// Simplifies a clause into `self.scratch`; false if it is true for ever.
    fn simplify(&mut self, clause: &[Lit], guard: Option<Lit>) -> bool {
        self.scratch.clear();
        for lit in clause.iter().copied().chain(guard) {
            match self.assign.value(lit) {
                TRUE => return false,
                FALSE => {}
                _ if self.scratch.contains(&!lit) => return false,
                _ if self.scratch.contains(&lit) => {}
                _ => self.scratch.push(lit),
            }
        }
        true
    }

    fn add(&mut self, clause: &[Lit], guard: Option<Lit>, kind: Kind) {
        self.reset();
        for lit in clause.iter().copied().chain(guard) {
            self.grow_to(lit.var());
            if lit.is_positive() || !self.acts.is_live(lit.var()) {
                self.pin(lit.var());
            }
        }
        self.log_original(clause, guard);
        let keep = self.simplify(clause, guard);
        if !keep || self.scratch.len() < clause.len() + usize::from(guard.is_some()) {
            if keep {
                self.log_derived_scratch(clause, guard);
            }
            self.log_deleted_original(clause, guard);
        }
        if !keep {
            return;
        }
        let mut lits = std::mem::take(&mut self.scratch);
        if let Kind::Gate(output) = kind
            && let Some(at) = lits.iter().position(|lit| lit.var() == output)
        {
            lits.swap(0, at);
        }
        self.store(&lits, kind);
        self.scratch = lits;
    }

    /// Stores a simplified clause and notes whose cone it joins.
    fn store(&mut self, lits: &[Lit], kind: Kind) {
        if kind == Kind::Constraint {
            let guard = lits.iter().map(|lit| lit.var()).find(|&var| self.acts.is_live(var));
            if guard.is_none() && lits.len() > 1 {
                self.justification.add_root(lits.iter().copied());
            }
            for lit in lits {
                if guard.is_some() && self.acts.is_live(lit.var()) {
                    continue;
                }
                match guard {
                    Some(guard) => self.acts.add_seed(guard, lit.var()),
                    None => self.cone.add_root(lit.var()),
                }
            }
        }
        match *lits {
            [] => self.contradictory = true,
            [lit] => self.assign.assign(lit, Reason::NOTHING),
            [a, b] => self.watches.add_binary(a, b),
            // Without its output, which has a value for ever, a clause does not define it.
            [a, b, c] if kind == Kind::Gate(a.var()) => self.watches.add_ternary(a, b, c),
            _ => {
                self.attach(lits, false, 0);
            }
        }
    }

    /// Stores a long clause, watches its first two literals and registers it with activation variables.
    pub(super) fn attach(&mut self, lits: &[Lit], learnt: bool, lbd: u32) -> ClauseRef {
        let clause = self.arena.add(lits, learnt, lbd);
        self.watches.add_long(clause, lits[0], lits[1]);
        for lit in lits {
            self.acts.register(lit.var(), clause, learnt);
        }
        clause
    }

    /// Deletes a long clause.
    pub(super) fn delete_clause(&mut self, clause: ClauseRef) {
        if self.arena.is_garbage(clause) {
            return;
        }
        if self.proof.is_some() {
            let lits: Vec<Lit> = self.arena.lits(clause).collect();
            self.log_deleted(&lits);
        }
        self.counters.learnt_live -= u64::from(self.arena.is_learnt(clause));
        self.arena.delete(clause);
    }
}
