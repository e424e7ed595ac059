//! A theory beside the clauses: congruence closure (DPLL(T): Nieuwenhuis, Oliveras, Tinelli 2006).
//!
//! Whenever unit propagation comes to an end, the literals that are new on the trail are asserted to the
//! closure. A contradiction there becomes a clause all of whose literals are false, a literal that follows
//! becomes a clause that makes it true; both are learnt clauses, and go as those go. So conflict analysis,
//! minimisation and failed cores know nothing of theories.
//!
//! A literal outside the cone is not told to the closure, unless it holds for ever, and never made true by
//! it.
//!
//! Invariants: the closure has the literals of the trail up to `theory_head`, and perhaps more that were
//! taken back since: they are retracted before the next one is asserted. Calls are not handed over, since
//! another solver knows no theory. An atom may be left open in a model, see the module `euf::read`.

use super::super::{Lit, Var};
use super::Cdcl;
use super::assign::{FALSE, OPEN, Reason};
use super::watch::Conflict;
use crate::euf::Closure;

impl Cdcl {
    /// An empty solver with a theory.
    pub(crate) fn with_theory(closure: Closure) -> Self {
        Cdcl { theory: Some(Box::new(closure)), ..Self::alone() }
    }

    /// An atom of the theory, or a gate, has a value in models only where these older variables have one.
    pub(crate) fn needs(&mut self, output: Var, variables: impl Iterator<Item = Var>) {
        self.justification.add_needs(output, variables);
    }

    /// The theory, as the last call left it.
    pub(crate) fn theory(&self) -> Option<&Closure> {
        self.theory.as_deref()
    }

    /// The theory with nothing asserted, to be extended.
    pub(crate) fn theory_mut(&mut self) -> Option<&mut Closure> {
        self.reset();
        self.theory_head = 0;
        let theory = self.theory.as_deref_mut()?;
        theory.retract(0);
        Some(theory)
    }

    /// Tells the theory what is new, and does what follows from it.
    pub(super) fn consult_theory(&mut self) -> Option<Conflict> {
        let mut theory = self.theory.take()?;
        let conflict = self.consult(&mut theory);
        self.theory = Some(theory);
        conflict
    }

    fn consult(&mut self, theory: &mut Closure) -> Option<Conflict> {
        let mut clause = std::mem::take(&mut self.theory_clause);
        let conflict = loop {
            theory.retract(self.theory_head);
            if let Some(conflict) = self.assert_trail(theory, &mut clause) {
                break Some(conflict);
            }
            if !self.take_implied(theory, &mut clause) {
                break None;
            }
            if let Some(conflict) = self.propagate::<false>() {
                break Some(conflict);
            }
        };
        self.theory_clause = clause;
        conflict
    }

    /// Asserts the new literals of the trail; a conflict if they contradict each other.
    fn assert_trail(&mut self, theory: &mut Closure, clause: &mut Vec<Lit>) -> Option<Conflict> {
        while let Some(&lit) = self.assign.trail.get(self.theory_head) {
            let position = self.theory_head;
            self.theory_head += 1;
            if theory.assign(position, lit) {
                continue;
            }
            theory.conflict(clause);
            debug_assert!(clause.iter().all(|&lit| self.assign.value(lit) == FALSE));
            clause.retain(|lit| self.assign.level_of(lit.var()) > 0);
            match **clause {
                [] => {
                    self.backtrack(0);
                    return Some(Conflict::Binary(!lit, !lit));
                }
                [unit] => {
                    self.backtrack(0);
                    self.assign.assign(unit, Reason::NOTHING);
                    if let Some(conflict) = self.propagate::<false>() {
                        return Some(conflict);
                    }
                    theory.retract(self.theory_head);
                }
                _ => {
                    self.highest_first(clause);
                    self.backtrack(self.assign.level_of(clause[0].var()));
                    let (_, conflict) = self.keep_theory_clause(clause);
                    return Some(conflict);
                }
            }
        }
        None
    }

    /// Makes literals true that follow; whether there were any.
    fn take_implied(&mut self, theory: &mut Closure, clause: &mut Vec<Lit>) -> bool {
        let mut any = false;
        while let Some(implied) = theory.implied() {
            if self.assign.value(implied.0) != OPEN {
                // A literal that is false is still to be asserted, and contradicts the theory then.
                continue;
            }
            theory.explain(implied, clause);
            let false_ones = clause.iter().filter(|&&lit| lit != implied.0);
            debug_assert!(false_ones.clone().all(|&lit| self.assign.value(lit) == FALSE));
            clause.retain(|&lit| lit == implied.0 || self.assign.level_of(lit.var()) > 0);
            any = true;
            if clause.len() == 1 {
                self.backtrack(0);
                self.assign.assign(implied.0, Reason::NOTHING);
                return true;
            }
            // An open literal has no level: it is put first by hand.
            let at = clause.iter().position(|&lit| lit == implied.0).unwrap_or(0);
            clause.swap(0, at);
            self.highest_first(&mut clause[1..]);
            let (reason, _) = self.keep_theory_clause(clause);
            self.assign.assign(implied.0, reason);
        }
        any
    }

    /// Puts two literals of the highest levels first.
    fn highest_first(&self, clause: &mut [Lit]) {
        for place in 0..clause.len().min(2) {
            let level = |&at: &usize| self.assign.level_of(clause[at].var());
            if let Some(highest) = (place..clause.len()).max_by_key(level) {
                clause.swap(place, highest);
            }
        }
    }

    /// Learns a clause; how it makes its first literal true, and how it is violated. Binary ones stay: they
    /// are about two terms and their values, and many queries need them.
    fn keep_theory_clause(&mut self, clause: &[Lit]) -> (Reason, Conflict) {
        self.counters.learnt += 1;
        if let &[first, second] = clause {
            self.watches.add_binary(first, second);
            return (Reason::binary(second), Conflict::Binary(first, second));
        }
        let learnt = self.keep_learnt(clause, 2);
        (Reason::clause(learnt), Conflict::Clause(learnt))
    }
}
