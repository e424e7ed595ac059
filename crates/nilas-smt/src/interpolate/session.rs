//! One side of an interpolation problem in a solver, and the account of checks.

use crate::budget::{Budget, Interrupt};
use crate::embedded::Embedded;
use crate::solver::{Answer, Reason, Solver};
use nilas_term::{Arena, BitVec, Term, Value};

/// How many solver checks may still be made.
pub(super) struct Checks<'b> {
    left: u32,
    budget: &'b Budget,
}

impl<'b> Checks<'b> {
    pub(super) fn new(left: u32, budget: &'b Budget) -> Self {
        Checks { left, budget }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.left == 0
    }

    fn take(&mut self) -> Result<bool, Reason> {
        if let Some(why) = self.budget.exhausted() {
            return Err(Reason::Interrupted(why));
        }
        let allowed = self.left > 0;
        self.left = self.left.saturating_sub(1);
        Ok(allowed)
    }
}

/// Formulas in an incremental solver.
pub(super) struct Side {
    solver: Embedded,
}

impl Side {
    pub(super) fn new(arena: &Arena, formulas: &[Term]) -> Self {
        let mut side = Side { solver: Embedded::default() };
        for &formula in formulas {
            side.assert(arena, formula);
        }
        side
    }

    pub(super) fn assert(&mut self, arena: &Arena, formula: Term) {
        self.solver.assert(arena, formula);
    }

    /// Whether the side and the terms have no model together; `None` when checks or conflicts ran out.
    fn ask(
        &mut self,
        arena: &Arena,
        terms: &[Term],
        checks: &mut Checks<'_>,
    ) -> Result<Option<bool>, Reason> {
        if !checks.take()? {
            return Ok(None);
        }
        match self.solver.check(arena, &[], terms, checks.budget) {
            Answer::Sat => Ok(Some(false)),
            Answer::Unsat => Ok(Some(true)),
            Answer::Unknown(Reason::Interrupted(Interrupt::Conflicts)) => Ok(None),
            Answer::Unknown(reason) => Err(reason),
        }
    }

    /// Whether it is known that the side and the terms have no model together.
    pub(super) fn refutes(
        &mut self,
        arena: &Arena,
        terms: &[Term],
        checks: &mut Checks<'_>,
    ) -> Result<bool, Reason> {
        Ok(self.ask(arena, terms, checks)? == Some(true))
    }

    /// Whether it is known that the side implies a term.
    pub(super) fn implies(
        &mut self,
        arena: &mut Arena,
        term: Term,
        checks: &mut Checks<'_>,
    ) -> Result<bool, Reason> {
        let negated = arena.not(term);
        self.refutes(arena, &[negated], checks)
    }

    /// Whether there is a model; its values can be read then. `None` when that is not known.
    pub(super) fn satisfiable(
        &mut self,
        arena: &Arena,
        terms: &[Term],
        checks: &mut Checks<'_>,
    ) -> Result<Option<bool>, Reason> {
        Ok(self.ask(arena, terms, checks)?.map(|refuted| !refuted))
    }

    pub(super) fn value(&mut self, arena: &Arena, term: Term) -> Result<Value, Reason> {
        self.solver.value(arena, term)
    }

    /// The value of a bit-vector term in the last model.
    pub(super) fn word(&mut self, arena: &Arena, term: Term) -> Result<BitVec, Reason> {
        match self.solver.value(arena, term)? {
            Value::BitVec(word) => Ok(word),
            other => Err(Reason::Failed(format!("a bit-vector has the value {other:?}"))),
        }
    }

    /// Terms that suffice to refute the side, none of which can be left out as far as checks allow; `None` if
    /// not even all of them do. A single one is preferred.
    pub(super) fn core(
        &mut self,
        arena: &Arena,
        terms: &[Term],
        checks: &mut Checks<'_>,
    ) -> Result<Option<Vec<Term>>, Reason> {
        /// Terms that are tried alone, before anything else.
        const SINGLES: usize = 12;
        if terms.len() > 1 && !self.refutes(arena, terms, checks)? {
            return Ok(None);
        }
        let mut core = if terms.len() > 1 { self.solver.failed().to_vec() } else { terms.to_vec() };
        for term in terms.iter().take(SINGLES) {
            if core.len() > 1 && self.refutes(arena, &[*term], checks)? {
                core = vec![*term];
            }
        }
        if terms.len() <= 1 {
            return Ok(self.refutes(arena, terms, checks)?.then(|| self.solver.failed().to_vec()));
        }
        let mut position = 0;
        while core.len() > 1 && position < core.len() {
            let mut fewer = core.clone();
            fewer.remove(position);
            if self.refutes(arena, &fewer, checks)? {
                // What failed is in the order it was given, so what was found necessary stays in front.
                core = self.solver.failed().to_vec();
            } else {
                position += 1;
            }
        }
        Ok(Some(core))
    }
}
