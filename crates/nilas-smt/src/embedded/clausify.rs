//! Assertions as clauses.
//!
//! Conjunctions at the top are split and disjunctions become clauses over the literals of their
//! members, without a gate of their own: IC3 asserts lemma clauses by the hundred thousand.

use crate::blast::{Blaster, Obstacle};
use crate::sat::{Lit, SatSolver, Var};
use nilas_term::{Arena, Op, Term};
use rustc_hash::FxHashSet;

/// Who has literals for Boolean terms, and takes clauses over them.
pub(crate) trait Literals {
    /// The literal of a Boolean term.
    fn literal(&mut self, arena: &Arena, term: Term) -> Result<Lit, Obstacle>;
    /// Adds a clause, for ever or under an activation. Uses up the clause.
    fn constrain(&mut self, activation: Option<Var>, clause: &mut Vec<Lit>);
}

impl<S: SatSolver> Literals for Blaster<S> {
    fn literal(&mut self, arena: &Arena, term: Term) -> Result<Lit, Obstacle> {
        Blaster::literal(self, arena, term)
    }

    fn constrain(&mut self, activation: Option<Var>, clause: &mut Vec<Lit>) {
        self.gates.constrain(activation, clause);
    }
}

/// Turns assertions into clauses; holds the scratch space for it.
#[derive(Default)]
pub(crate) struct Clausifier {
    parts: Vec<(Term, bool)>,
    members: Vec<(Term, bool)>,
    clause: Vec<Lit>,
    /// Conjunctions that the current assertion has been split at, so that shared ones are split once.
    split: FxHashSet<(Term, bool)>,
    /// Disjunctions whose members the current clause has.
    joined: FxHashSet<(Term, bool)>,
}

impl Clausifier {
    /// Asserts that `term` is true, for ever or under an activation. When it fails, some of the clauses may
    /// have been added; asserting it again adds them again, which is harmless.
    pub(crate) fn assert(
        &mut self,
        literals: &mut impl Literals,
        arena: &Arena,
        activation: Option<Var>,
        term: Term,
    ) -> Result<(), Obstacle> {
        self.parts.clear();
        self.split.clear();
        self.parts.push((term, true));
        while let Some((term, value)) = self.parts.pop() {
            match arena.op(term) {
                Op::Not => self.parts.extend(arena.children(term).iter().map(|&child| (child, !value))),
                Op::And if value => self.split(arena, term, value),
                Op::Or if !value => self.split(arena, term, value),
                _ => self.clause(literals, arena, activation, term, value)?,
            }
        }
        Ok(())
    }

    fn split(&mut self, arena: &Arena, term: Term, value: bool) {
        if self.split.insert((term, value)) {
            // Reversed: parts are asserted in the order they are written.
            self.parts.extend(arena.children(term).iter().rev().map(|&child| (child, value)));
        }
    }

    fn clause(
        &mut self,
        literals: &mut impl Literals,
        arena: &Arena,
        activation: Option<Var>,
        term: Term,
        value: bool,
    ) -> Result<(), Obstacle> {
        self.clause.clear();
        self.joined.clear();
        self.members.clear();
        self.members.push((term, value));
        while let Some((term, value)) = self.members.pop() {
            let op = arena.op(term);
            if op == Op::Not {
                self.members.extend(arena.children(term).iter().map(|&child| (child, !value)));
            } else if op == if value { Op::Or } else { Op::And } {
                if self.joined.insert((term, value)) {
                    self.members.extend(arena.children(term).iter().rev().map(|&child| (child, value)));
                }
            } else {
                let lit = literals.literal(arena, term)?;
                self.clause.push(if value { lit } else { !lit });
            }
        }
        literals.constrain(activation, &mut self.clause);
        Ok(())
    }
}
