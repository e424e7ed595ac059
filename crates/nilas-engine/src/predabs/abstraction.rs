//! The abstract state behind an edge: what the predicates of the target can say about the states that come
//! over it.
//!
//! *Cartesian*: the conjunction of the predicates and negated predicates that hold for all of them. A model
//! gives candidates, and a model in which one of them fails removes some, until there is none. *Boolean*:
//! also how the other predicates hang together, the strongest Boolean combination there is. Their
//! combinations are enumerated, each excluded when it was found, and put together as a decision tree, in
//! which equal parts meet by hash-consing. Where there are too many, only disjunctions of two literals that
//! always hold are found, in the same way as the Cartesian part.

use super::{Abstraction, PredAbs};
use crate::outcome::Unknown;
use nilas_program::EdgeId;
use nilas_smt::{Activation, Answer};
use nilas_term::Term;
use std::collections::BTreeSet;

/// Combinations of predicates beyond this many are not enumerated.
const COMBINATIONS: usize = 64;

/// Disjunctions beyond this many are not tried.
const DISJUNCTIONS: usize = 500;

/// A disjunction of two predicates, by number, each with the value that satisfies it.
type Disjunction = [(usize, bool); 2];

impl PredAbs<'_> {
    /// Whether an edge can be taken from an abstract state.
    pub(super) fn feasible(&mut self, state: Term, edge: EdgeId) -> Result<bool, Unknown> {
        self.ask(state, edge, &[], None)
    }

    /// The strongest abstract state behind an edge; `None` if the edge cannot be taken.
    pub(super) fn post(
        &mut self,
        state: Term,
        edge: EdgeId,
        predicates: &[Term],
    ) -> Result<Option<Term>, Unknown> {
        if !self.ask(state, edge, &[], None)? {
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
                Some(value) => literals.push(self.literal(predicates[index], value)),
                None => free.push(index),
            }
        }
        if self.settings.abstraction == Abstraction::Boolean && free.len() > 1 {
            let behind: Vec<Term> = free.iter().map(|&index| behind[index]).collect();
            let project =
                |values: Vec<bool>| -> Vec<bool> { free.iter().map(|&index| values[index]).collect() };
            let mut found: BTreeSet<Vec<bool>> = found.into_iter().map(project).collect();
            let free: Vec<Term> = free.iter().map(|&index| predicates[index]).collect();
            if self.combinations(state, edge, &behind, &mut found)? {
                let found: Vec<Vec<bool>> = found.into_iter().collect();
                literals.push(self.decision_tree(&free, &found));
            } else {
                self.statistics.cut_short += 1;
                for pair in self.disjunctions(state, edge, &behind, &found)? {
                    let sides = pair.map(|(index, value)| self.literal(free[index], value));
                    literals.push(self.arena.or(&sides));
                }
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
                if let Some(value) = value {
                    others.push(self.literal(term, !value));
                }
            }
            let Some(values) = self.with_one_of(state, edge, behind, &others)? else { return Ok(fixed) };
            for (fixed, value) in fixed.iter_mut().zip(&values) {
                if *fixed != Some(*value) {
                    *fixed = None;
                }
            }
            found.insert(values);
        }
    }

    /// Disjunctions of two literals that hold behind the edge, of those that hold in the combinations found.
    fn disjunctions(
        &mut self,
        state: Term,
        edge: EdgeId,
        behind: &[Term],
        found: &BTreeSet<Vec<bool>>,
    ) -> Result<Vec<Disjunction>, Unknown> {
        let mut left = Vec::new();
        for second in 0..behind.len() {
            for first in 0..second {
                for values in [(false, false), (false, true), (true, false), (true, true)] {
                    let pair = [(first, values.0), (second, values.1)];
                    if left.len() < DISJUNCTIONS && found.iter().all(|found| satisfies(found, pair)) {
                        left.push(pair);
                    }
                }
            }
        }
        loop {
            let mut others = Vec::with_capacity(left.len());
            for pair in &left {
                let sides = pair.map(|(index, value)| self.literal(behind[index], !value));
                others.push(self.arena.and(&sides));
            }
            let Some(values) = self.with_one_of(state, edge, behind, &others)? else { return Ok(left) };
            left.retain(|&pair| satisfies(&values, pair));
        }
    }

    /// The values of formulas in a model in which one of some conditions holds, if there is one.
    fn with_one_of(
        &mut self,
        state: Term,
        edge: EdgeId,
        formulas: &[Term],
        conditions: &[Term],
    ) -> Result<Option<Vec<bool>>, Unknown> {
        let one = self.arena.or(conditions);
        if self.arena.as_bool(one) == Some(false) {
            return Ok(None);
        }
        let (solver, arena) = self.solver(edge)?;
        let activation = solver.solver.activation();
        solver.solver.assert_under(arena, activation, one);
        let more = self.ask(state, edge, &[], Some(activation))?;
        let values = if more { Some(self.values(edge, formulas)?) } else { None };
        self.solver(edge)?.0.solver.retire(activation);
        Ok(values)
    }

    fn literal(&mut self, predicate: Term, value: bool) -> Term {
        if value { predicate } else { self.arena.not(predicate) }
    }

    /// Adds all combinations of values of predicates behind the edge; no if there are too many.
    fn combinations(
        &mut self,
        state: Term,
        edge: EdgeId,
        behind: &[Term],
        found: &mut BTreeSet<Vec<bool>>,
    ) -> Result<bool, Unknown> {
        let activation = self.solver(edge)?.0.solver.activation();
        for values in found.iter() {
            self.exclude(edge, activation, behind, values)?;
        }
        while found.len() <= COMBINATIONS && self.ask(state, edge, &[], Some(activation))? {
            let values = self.values(edge, behind)?;
            self.exclude(edge, activation, behind, &values)?;
            found.insert(values);
        }
        self.solver(edge)?.0.solver.retire(activation);
        Ok(found.len() <= COMBINATIONS)
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

    /// Whether the edge can be taken from an abstract state, with more conditions before it and what stands
    /// under an activation.
    pub(super) fn ask(
        &mut self,
        state: Term,
        edge: EdgeId,
        conditions: &[Term],
        activation: Option<Activation>,
    ) -> Result<bool, Unknown> {
        let budget = self.budget;
        let (solver, arena) = self.solver(edge)?;
        let mut assumptions = vec![state, solver.transition.encoding.guard];
        assumptions.extend_from_slice(conditions);
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

/// Whether a combination of values satisfies a disjunction.
fn satisfies(values: &[bool], pair: Disjunction) -> bool {
    pair.iter().any(|&(index, value)| values[index] == value)
}
