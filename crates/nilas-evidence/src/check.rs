//! The checker: does the evidence show what it claims?
//!
//! Nothing here trusts where the evidence came from. An invariant is checked region by region, an unwinding
//! is unrolled anew, an execution is replayed by the interpreter. The checker clones the automaton's
//! arena, so it cannot disturb its owner.

use crate::cutset::{Cutset, UncutCycle};
use crate::encoder::Encoder;
use crate::evidence::Evidence;
use crate::induction;
use crate::proof::{Counts, Listener};
use crate::region::{self, Arrival, Names};
use crate::rejection::Rejection;
use crate::replay;
use crate::run;
use crate::unwinding;
use nilas_program::{Automaton, LocationId, Program};
use nilas_smt::{Budget, Reason};
use nilas_term::{Arena, Sort, Term, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;

/// What accepted evidence shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Neither error nor unmodelled can be reached.
    Safe,
    /// The error can be reached.
    Unsafe,
    /// What is not modelled can be reached, so nothing is known.
    Unmodelled,
}

/// Checks evidence against the automaton as lowered. (Contracts are about a module:
/// [`crate::check_contracts`].)
///
/// # Errors
/// When it does not show what it claims, or the budget ends first.
pub fn check(program: &Program, evidence: &Evidence, budget: &Budget) -> Result<Verdict, Rejection> {
    check_with(program, evidence, budget, &mut Account::default())
}

/// How a check is made, and what it leaves behind besides its result.
pub struct Account {
    /// How many cores may work on it. The result is the same for any number.
    pub threads: NonZero<usize>,
    /// Layers of unwindings that were unrolled.
    pub layers: u64,
    /// How questions were answered.
    pub counts: Counts,
    /// Who wants to hear of each question.
    pub listener: Option<Listener>,
}

impl Default for Account {
    fn default() -> Self {
        Account { threads: NonZero::<usize>::MIN, layers: 0, counts: Counts::default(), listener: None }
    }
}

/// The same, with an account of the questions.
///
/// # Errors
/// As [`check`].
pub fn check_with(
    program: &Program,
    evidence: &Evidence,
    budget: &Budget,
    account: &mut Account,
) -> Result<Verdict, Rejection> {
    match evidence {
        Evidence::Invariant(invariant) => {
            induction::check(program, invariant, budget, account).map(|()| Verdict::Safe)
        }
        Evidence::Unwinding(unwinding) => {
            unwinding::check(program, unwinding, budget, account).map(|()| Verdict::Safe)
        }
        Evidence::Run => run::run(program, budget).map(|ended| ended.verdict),
        Evidence::Contracts(_) => {
            let why = "contracts are about a program with its procedures".to_owned();
            Err(Rejection::Undecided(Reason::Unsupported(why)))
        }
        Evidence::Execution(execution) => {
            replay::follow(program, execution, budget).map(|course| course.verdict)
        }
    }
}

/// Where executions can be after some number of regions: per location one state, under a condition. The
/// conditions of a layer exclude each other.
pub(crate) type Layer = BTreeMap<LocationId, Arrival>;

/// What a check of formulas works with.
pub(crate) struct Checker<'a> {
    pub(crate) automaton: &'a Automaton,
    pub(crate) arena: Arena,
    pub(crate) names: Names,
    pub(crate) cutset: Cutset,
    encoder: Encoder<'a>,
    budget: &'a Budget,
    pub(crate) account: &'a mut Account,
}

impl Drop for Checker<'_> {
    fn drop(&mut self) {
        self.account.counts += self.encoder.counts();
    }
}

impl<'a> Checker<'a> {
    pub(crate) fn new(
        program: &'a Program,
        cuts: &BTreeSet<LocationId>,
        budget: &'a Budget,
        account: &'a mut Account,
    ) -> Result<Checker<'a>, Rejection> {
        let automaton = &program.automaton;
        let cutset = Cutset::new(automaton, cuts)
            .map_err(|UncutCycle(location)| Rejection::NotACutset { location: name(automaton, location) })?;
        let arena = program.arena.clone();
        let names = Names::new(automaton);
        let encoder = Encoder::new(budget, account.listener.clone());
        Ok(Checker { automaton, arena, names, cutset, encoder, budget, account })
    }

    /// Where executions can be one region after a layer.
    pub(crate) fn next_layer(&mut self, layer: &Layer) -> Result<Layer, Reason> {
        let mut arrivals: BTreeMap<LocationId, Vec<Arrival>> = BTreeMap::new();
        let Checker { arena, automaton, names, cutset, budget, .. } = self;
        for (&cut, start) in layer {
            for (target, more) in
                region::execute(arena, automaton, names, cutset, cut, start.clone(), budget)?
            {
                arrivals.entry(target).or_default().extend(more);
            }
        }
        let merged =
            arrivals.into_iter().filter_map(|(target, ways)| Some((target, region::merge(arena, &ways)?)));
        Ok(merged.collect())
    }

    /// Takes note that a condition was shown not to hold: later questions need not find that out again.
    pub(crate) fn is_impossible(&mut self, condition: Term) -> Result<(), Reason> {
        let fact = self.arena.not(condition);
        self.encoder.add_fact(&mut self.arena, fact)
    }

    /// Whether it is quickly shown that the formulas cannot hold together.
    pub(crate) fn exclude_each_other(&mut self, formulas: &[Term]) -> Result<bool, Reason> {
        self.encoder.refuted(&mut self.arena, formulas)
    }

    /// If the formulas can hold together: values of the variables in a start state for which they do.
    pub(crate) fn model(
        &mut self,
        formulas: &[Term],
        start: &Arrival,
    ) -> Result<Option<Vec<(String, Value)>>, Reason> {
        if !self.encoder.satisfiable(&mut self.arena, formulas)? {
            return Ok(None);
        }
        let value = |(variable, &term): (&nilas_program::Variable, &Term)| {
            let known = self.arena.as_value(term).cloned();
            (variable.name.clone(), known.unwrap_or_else(|| self.encoder.value(&self.arena, term)))
        };
        let known = |(variable, _): &(&nilas_program::Variable, &Term)| {
            matches!(variable.sort, Sort::Bool | Sort::BitVec(_) | Sort::Float(..) | Sort::RoundingMode)
        };
        let variables = self.automaton.variables.iter().zip(start.values.iter());
        Ok(Some(variables.filter(known).map(value).collect()))
    }
}

pub(crate) fn name(automaton: &Automaton, location: LocationId) -> String {
    automaton.location(location).name.clone()
}
