//! The abstract state behind an edge: what the predicates of the target can say about the states that come over it.
//!
//! *Cartesian*: the conjunction of the predicates and negated predicates that hold for all of them. A model gives candidates, and a model in which
//! one of them fails removes some, until there is none. *Boolean*: also how the other predicates hang together, the strongest
//! Boolean combination there is. Their combinations are enumerated, each excluded when it was found, and put
//! together as a decision tree, in which equal parts meet by hash-consing. Where there are too many, the Cartesian part stays.

use super::{Abstraction, PredAbs};
use crate::outcome::Unknown;
use nilas_program::EdgeId;
use nilas_smt::{Activation, Answer};
use nilas_term::Term;
use std::collections::BTreeSet;

/// Combinations of predicates beyond this many are not enumerated.
const COMBINATIONS: usize = 256;

impl PredAbs<'_> {
    /// Whether an edge can be taken from an abstract state.
    pub(super) fn feasible(&mut self, state: Term, edge: EdgeId) -> Result<bool, Unknown> {
        self.ask(state, edge, None)
    }

    /// The strongest abstract state behind an edge; `None` if the edge cannot be taken.
    pub(super) fn post(
        &mut self,
        state: Term,
        edge: EdgeId,
        predicates: &[Term],
    ) -> Result<Option<Term>, Unknown> {
        if !self.ask(state, edge, None)? {
            return Ok(None);
        }
        let mut behind = Vec::with_capacity(predicates.len());
        for &predicate in predicates {
            let (solver, arena) = self.solver(edge)?;
            behind.push(solver.transition.before(arena, predicate));
        }
        let mut found = BTreeSet::from([self.values(edge, &behind)?]);
        let fixed = self.cartesian(state, edge, &behind, &mut found)?;
        let mut literals = Vec::new();
        let mut free = Vec::new();
        for (index, value) in fixed.into_iter().enumerate() {
            match value {
                Some(true) => literals.push(predicates[index]),
                Some(false) => literals.push(self.arena.not(predicates[index])),
                None => free.push(index),
            }
        }
        if self.settings.abstraction == Abstraction::Boolean && free.len() > 1 {
            if let Some(found) = self.combinations(state, edge, &behind, &free, found)? {
                let free: Vec<Term> = free.iter().map(|&index| predicates[index]).collect();
                let found: Vec<Vec<bool>> = found.into_iter().collect();
                literals.push(self.decision_tree(&free, &found));
            } else {
                self.statistics.cut_short += 1;
            }
        }
        Ok(Some(self.arena.and(&literals)))
    }

    /// The predicates that have one value only behind the edge. Adds the combinations that it comes by.
    fn cartesian(
        &mut self,
        state: Term,
        edge: EdgeId,
        behind: &[Term],
        found: &mut BTreeSet<Vec<bool>>,
    ) -> Result<Vec<Option<bool>>, Unknown> {
        let mut fixed: Vec<Option<bool>> =
            found.first().into_iter().flatten().map(|&value| Some(value)).collect();
        loop {
            let mut others = Vec::new();
            for (&term, value) in behind.iter().zip(&fixed) {
                match value {
                    Some(true) => others.push(self.arena.not(term)),
                    Some(false) => others.push(term),
                    None => {}
                }
            }
            let another = self.arena.or(&others);
            if self.arena.as_bool(another) == Some(false) {
                return Ok(fixed);
            }
            let (solver, arena) = self.solver(edge)?;
            let activation = solver.solver.activation();
            solver.solver.assert_under(arena, activation, another);
            let more = self.ask(state, edge, Some(activation))?;
            let values = if more { Some(self.values(edge, behind)?) } else { None };
            self.solver(edge)?.0.solver.retire(activation);
            let Some(values) = values else { return Ok(fixed) };
            for (fixed, value) in fixed.iter_mut().zip(&values) {
                if *fixed != Some(*value) {
                    *fixed = None;
                }
            }
            found.insert(values);
        }
    }

    /// All combinations of values of the free predicates behind the edge, unless there are too many.
    fn combinations(
        &mut self,
        state: Term,
        edge: EdgeId,
        behind: &[Term],
        free: &[usize],
        known: BTreeSet<Vec<bool>>,
    ) -> Result<Option<BTreeSet<Vec<bool>>>, Unknown> {
        let project = |values: &Vec<bool>| -> Vec<bool> { free.iter().map(|&index| values[index]).collect() };
        let mut found: BTreeSet<Vec<bool>> = known.iter().map(project).collect();
        let behind: Vec<Term> = free.iter().map(|&index| behind[index]).collect();
        let activation = self.solver(edge)?.0.solver.activation();
        for values in &found {
            self.exclude(edge, activation, &behind, values)?;
        }
        while found.len() <= COMBINATIONS && self.ask(state, edge, Some(activation))? {
            let values = self.values(edge, &behind)?;
            self.exclude(edge, activation, &behind, &values)?;
            found.insert(values);
        }
        self.solver(edge)?.0.solver.retire(activation);
        Ok((found.len() <= COMBINATIONS).then_some(found))
    }

    /// Excludes one combination of values under an activation.
    fn exclude(
        &mut self,
        edge: EdgeId,
        activation: Activation,
        behind: &[Term],
        values: &[bool],
    ) -> Result<(), Unknown> {
        let other = |(&term, &value): (&Term, &bool)| if value { self.arena.not(term) } else { term };
        let others: Vec<Term> = behind.iter().zip(values).map(other).collect();
        let another = self.arena.or(&others);
        let (solver, arena) = self.solver(edge)?;
        solver.solver.assert_under(arena, activation, another);
        Ok(())
    }

    /// Whether the edge can be taken from an abstract state, with what stands under an activation.
    fn ask(&mut self, state: Term, edge: EdgeId, activation: Option<Activation>) -> Result<bool, Unknown> {
        let budget = self.budget;
        let (solver, arena) = self.solver(edge)?;
        let assumptions = [state, solver.transition.encoding.guard];
        match solver.solver.check(arena, activation.as_slice(), &assumptions, budget) {
            Answer::Sat => Ok(true),
            Answer::Unsat => Ok(false),
            Answer::Unknown(reason) => Err(reason.into()),
        }
    }

    /// The values of formulas in the model of an edge's solver.
    fn values(&mut self, edge: EdgeId, formulas: &[Term]) -> Result<Vec<bool>, Unknown> {
        let (solver, arena) = self.solver(edge)?;
        let mut values = Vec::with_capacity(formulas.len());
        for &formula in formulas {
            values.push(crate::transition::holds(&mut *solver.solver, arena, formula)?);
        }
        Ok(values)
    }

    /// A set of combinations as a formula: decisions in the order of the predicates, from the last one up.
    fn decision_tree(&mut self, predicates: &[Term], found: &[Vec<bool>]) -> Term {
        // The parts that begin with the same values are next to each other: the combinations are sorted.
        let mut parts: Vec<(&[bool], Term)> = Vec::with_capacity(found.len());
        let (yes, no) = (self.arena.mk_true(), self.arena.mk_false());
        parts.extend(found.iter().map(|values| (&values[..], yes)));
        for (depth, &predicate) in predicates.iter().enumerate().rev() {
            let mut joined: Vec<(&[bool], Term)> = Vec::with_capacity(parts.len());
            let mut index = 0;
            while index < parts.len() {
                let (values, part) = parts[index];
                let next = parts.get(index + 1).filter(|(other, _)| other[..depth] == values[..depth]);
                let (low, high) = match next {
                    Some(&(_, other)) => (part, other),
                    None if values[depth] => (no, part),
                    None => (part, no),
                };
                index += if next.is_some() { 2 } else { 1 };
                joined.push((&values[..depth], self.arena.ite(predicate, high, low)));
            }
            parts = joined;
        }
        parts.first().map_or(no, |(_, part)| *part)
    }
}
