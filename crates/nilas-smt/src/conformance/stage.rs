//! A solver, an arena and some variables to play with.

use crate::budget::Budget;
use crate::solver::{Activation, Answer, Solver};
use nilas_term::{Arena, Sort, Term, Value};

/// What a case works on: `p`, `q`, `r` are Booleans, `x`, `y` bit-vectors of eight bits.
pub(super) struct Stage {
    pub(super) arena: Arena,
    pub(super) solver: Box<dyn Solver>,
    pub(super) p: Term,
    pub(super) q: Term,
    pub(super) r: Term,
    pub(super) x: Term,
    pub(super) y: Term,
}

/// Fails a case with a sentence unless the condition holds.
pub(super) fn ensure(condition: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if condition { Ok(()) } else { Err(what()) }
}

impl Stage {
    pub(super) fn new(solver: Box<dyn Solver>) -> Self {
        let mut arena = Arena::new();
        // The arena is empty, so none of these names is taken.
        let mut variable =
            |name: &str, sort: &Sort| arena.variable(name, sort).expect("a fresh arena knows no names");
        let (p, q, r) = (variable("p", &Sort::Bool), variable("q", &Sort::Bool), variable("r", &Sort::Bool));
        let (x, y) = (variable("x", &Sort::BitVec(8)), variable("y", &Sort::BitVec(8)));
        Stage { arena, solver, p, q, r, x, y }
    }

    pub(super) fn not(&mut self, term: Term) -> Term {
        self.arena.not(term)
    }

    /// `variable = value`, for eight bits.
    pub(super) fn is(&mut self, variable: Term, value: u64) -> Term {
        let value = self.arena.bv(8, value);
        self.arena.eq(variable, value)
    }

    pub(super) fn assert(&mut self, term: Term) {
        self.solver.assert(&self.arena, term);
    }

    pub(super) fn under(&mut self, activation: Activation, term: Term) {
        self.solver.assert_under(&self.arena, activation, term);
    }

    pub(super) fn check(&mut self, activations: &[Activation], assumptions: &[Term]) -> Answer {
        self.solver.check(&self.arena, activations, assumptions, &Budget::unlimited())
    }

    pub(super) fn expect(
        &mut self,
        wanted: &Answer,
        activations: &[Activation],
        assumptions: &[Term],
    ) -> Result<(), String> {
        let answer = self.check(activations, assumptions);
        ensure(answer == *wanted, || {
            let under = assumptions.iter().map(|&term| format!("{:?}", self.arena.op(term)));
            format!(
                "expected {wanted:?}, got {answer:?}, with {} activations, under {:?}",
                activations.len(),
                under.collect::<Vec<_>>()
            )
        })
    }

    pub(super) fn sat(&mut self, activations: &[Activation], assumptions: &[Term]) -> Result<(), String> {
        self.expect(&Answer::Sat, activations, assumptions)?;
        for &assumption in assumptions {
            self.holds(assumption)?;
        }
        Ok(())
    }

    /// Checks for unsat, and that the failed assumptions and activations are among those given, in their
    /// order, and suffice.
    pub(super) fn unsat(&mut self, activations: &[Activation], assumptions: &[Term]) -> Result<(), String> {
        self.expect(&Answer::Unsat, activations, assumptions)?;
        let failed = self.solver.failed().to_vec();
        let failed_activations = self.solver.failed_activations().to_vec();
        let mut given = assumptions.iter();
        ensure(failed.iter().all(|term| given.any(|other| other == term)), || {
            format!("failed assumptions {failed:?} are not among {assumptions:?} in that order")
        })?;
        ensure(failed_activations.iter().all(|activation| activations.contains(activation)), || {
            format!("failed activations {failed_activations:?} are not among {activations:?}")
        })?;
        self.expect(&Answer::Unsat, &failed_activations, &failed)
            .map_err(|what| format!("the failed assumptions do not suffice: {what}"))
    }

    pub(super) fn value(&mut self, term: Term) -> Result<Value, String> {
        self.solver.value(&self.arena, term).map_err(|why| format!("a term has no value: {why}"))
    }

    /// Checks that a term is true in the model.
    pub(super) fn holds(&mut self, term: Term) -> Result<(), String> {
        let value = self.value(term)?;
        ensure(value == Value::Bool(true), || format!("{:?} is {value:?} in the model", self.arena.op(term)))
    }

    /// Checks that a variable has a value in the model.
    pub(super) fn holds_value(&mut self, variable: Term, wanted: u64) -> Result<(), String> {
        let value = self.value(variable)?;
        let found = value.as_bitvec().and_then(nilas_term::BitVec::to_u64);
        ensure(found == Some(wanted), || format!("a variable is {value:?} in the model instead of {wanted}"))
    }
}
