//! The way of CaDiCaL's proof into the database.
//!
//! Not trusted. CaDiCaL numbers variables of the cone and clauses in its own way; here both are translated
//! back. A step that names what is not known is refused by the database, and the proof is lost.

use super::clauses::ClauseId;
use super::stream::Shared;
use nilas_smt::sat::{self, Lit, Var};
use std::collections::HashMap;

/// Translates the proof of one question.
pub(super) struct Tracer {
    checked: Shared,
    /// The variable of the checker for each of CaDiCaL's.
    pub(super) vars: Vec<Var>,
    numbers: HashMap<Var, Var>,
    /// The clause that is added next.
    pub(super) next: Option<ClauseId>,
    clauses: HashMap<i64, ClauseId>,
    /// The first clause that was derived here: those before it are the encoder's, or our own core's.
    first: Option<ClauseId>,
}

impl Tracer {
    pub(super) fn new(checked: Shared) -> Self {
        let (vars, numbers, clauses) = (Vec::new(), HashMap::new(), HashMap::new());
        Tracer { checked, vars, numbers, next: None, clauses, first: None }
    }

    /// Literals in CaDiCaL's numbers.
    pub(super) fn number(&mut self, literals: &[Lit]) -> Vec<Lit> {
        let Tracer { vars, numbers, .. } = self;
        let number = |lit: &Lit| {
            let var = *numbers.entry(lit.var()).or_insert_with(|| {
                vars.push(lit.var());
                Var(u32::try_from(vars.len() - 1).unwrap_or(u32::MAX))
            });
            Lit::new(var, lit.is_positive())
        };
        literals.iter().map(number).collect()
    }
}

impl Drop for Tracer {
    /// What was derived for this question is of no use for the next one; only the last clause is still
    /// looked at.
    fn drop(&mut self) {
        let mut checked = self.checked.lock();
        for &id in self.clauses.values().filter(|&&id| self.first.is_some_and(|first| id >= first)) {
            if checked.last != Some(id) {
                checked.clauses.delete(id);
            }
        }
    }
}

impl sat::Tracer for Tracer {
    fn original(&mut self, number: i64) {
        if let Some(id) = self.next.take() {
            self.clauses.insert(number, id);
        }
    }

    fn derived(&mut self, number: i64, clause: &[Lit], antecedents: &[i64]) {
        let back = |lit: &Lit| Some(Lit::new(*self.vars.get(lit.var().0 as usize)?, lit.is_positive()));
        let Some(clause) = clause.iter().map(back).collect::<Option<Vec<Lit>>>() else { return };
        let hints: Vec<ClauseId> =
            antecedents.iter().filter_map(|number| self.clauses.get(number)).copied().collect();
        let mut checked = self.checked.lock();
        checked.steps += 1;
        checked.last = checked.clauses.derive(&clause, &hints).ok();
        if let Some(id) = checked.last {
            self.clauses.insert(number, id);
            self.first.get_or_insert(id);
        }
    }

    fn deleted(&mut self, number: i64) {
        // A clause of the encoder stays, and so does the last one, which the answer rests on.
        let mut checked = self.checked.lock();
        if let Some(id) = self.clauses.remove(&number)
            && self.first.is_some_and(|first| id >= first)
            && checked.last != Some(id)
        {
            checked.clauses.delete(id);
        }
    }
}
