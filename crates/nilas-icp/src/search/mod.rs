//! CDCL over simple bounds, with contraction as a second way to propagate: §2.3 of *ICP and IC3 with Stronger
//! Generalization*.
//!
//! A [`Search`] holds columns with intervals, clauses over bounds and constraints on columns. It knows
//! nothing of terms. Constraints define columns as total functions of others, the inputs: when all inputs
//! that matter are points, everything is. Between two calls of [`Search::solve`] the trail holds facts only,
//! and what was learnt stays: it follows from clauses and constraints.
//!
//! Deviations from the paper: bounds are no SAT literals (`bound`), and reasons of contractions are found
//! when they are asked for (`explain`).

mod analyse;
pub(crate) mod bound;
mod clauses;
mod decide;
mod explain;
mod heap;
mod propagate;
#[cfg(test)]
mod tests;
mod trail;

pub use bound::Side;
pub(crate) use bound::{Bound, Column};
pub(crate) use decide::Input;

use crate::boxes::interval::{Interval, Rank};
use crate::contract::Constraint;
use clauses::{Clauses, normalised};
use explain::Placed;
use heap::Heap;
use nilas_term::{Budget, Interrupt};
use std::collections::VecDeque;
use trail::{ConstraintId, Reason, Trail};

/// Conflicts of the shortest run between two restarts.
const RUN: u64 = 100;

/// Clauses that may be learnt before the first reduction.
const LEARNT: usize = 2000;

/// Splits between two looks for a model around the present box.
const LOOK: u64 = 6;

/// The answer of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// All inputs are points, or the candidate was taken; intervals can be read until the next call.
    Sat,
    /// There is no model.
    Unsat(Failure),
    /// The budget ended.
    Unknown(Interrupt),
    /// It took more contractions than it may.
    Impatient,
}

/// Assumptions that cannot hold together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Failure {
    /// Those that suffice, by number.
    pub(crate) assumptions: Vec<usize>,
    /// One of them that fails once the others hold, and how far the other end of its interval is then: of
    /// `x ≤ 5` that `x ≥ 10`. `None` where there is no model without assumptions either.
    pub(crate) last: Option<(usize, Rank)>,
}

/// Counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counters {
    pub(crate) conflicts: u64,
    pub(crate) decisions: u64,
}

/// The search, see the module's text.
#[derive(Debug, Default)]
pub(crate) struct Search {
    trail: Trail,
    clauses: Clauses,
    constraints: Vec<Placed>,
    uses: Vec<Vec<ConstraintId>>,
    queue: VecDeque<ConstraintId>,
    /// Steps of the trail from here on are not propagated yet.
    next: usize,
    heap: Heap,
    boolean: Vec<bool>,
    inputs: Vec<Input>,
    activity: Vec<f64>,
    increment: f64,
    phase: Vec<Rank>,
    small_steps: Vec<(u64, u32)>,
    stamp: u64,
    /// The number of the present check: what is marked with it matters.
    check: u32,
    budget: Budget,
    contradiction: bool,
    reduce_at: usize,
    scratch: Vec<Interval>,
    /// What was learnt, if somebody wants to know.
    pub(crate) log: Option<Vec<Vec<Bound>>>,
    pub(crate) counters: Counters,
    pub(crate) propagations: u64,
    pub(crate) contractions: u64,
}

impl Search {
    pub(crate) fn new() -> Self {
        Search { increment: 1.0, reduce_at: LEARNT, ..Search::default() }
    }

    /// A new column.
    pub(crate) fn column(&mut self, range: Interval) -> Column {
        self.uses.push(Vec::new());
        self.boolean.push(false);
        self.activity.push(0.0);
        self.phase.push(if range.contains(0) { 0 } else { range.lo });
        self.small_steps.push((0, 0));
        self.trail.column(range)
    }

    /// A new constraint on columns.
    pub(crate) fn constrain(&mut self, constraint: Constraint, columns: Vec<Column>) -> usize {
        let id = ConstraintId(self.constraints.len() as u32);
        for (place, column) in columns.iter().enumerate() {
            if !columns[..place].contains(column) {
                self.uses[column.index()].push(id);
            }
        }
        self.constraints.push(Placed { constraint, columns, relevant: 0, queued: false });
        id.0 as usize
    }

    /// A new clause, for ever.
    pub(crate) fn add_clause(&mut self, literals: &[Bound]) {
        debug_assert_eq!(self.trail.level(), 0, "clauses come between searches");
        let Some(mut literals) = normalised(literals) else { return };
        if literals.iter().any(|&literal| self.trail.holds(literal)) {
            return;
        }
        literals.retain(|&literal| !self.trail.fails(literal));
        match literals.as_slice() {
            [] => self.contradiction = true,
            [unit] => self.trail.push(*unit, Reason::Fact),
            _ => {
                self.clauses.add(literals, None);
            }
        }
    }

    pub(crate) fn range(&self, column: Column) -> Interval {
        self.trail.range(column)
    }

    pub(crate) fn size(&self) -> (u64, u64) {
        (self.trail.columns() as u64, (self.clauses.len() + self.constraints.len()) as u64)
    }

    /// The value that a column had last, as near to it as the interval allows.
    pub(crate) fn candidate(&self, column: Column) -> Rank {
        let range = self.range(column);
        self.phase[column.index()].clamp(range.lo, range.hi)
    }

    /// Begins a check: only these truth values are decided, inputs split, and constraints contracted.
    pub(crate) fn begin(&mut self, booleans: &[Column], inputs: &[Input], constraints: &[usize]) {
        self.backtrack(0);
        self.check += 1;
        self.boolean.fill(false);
        self.heap.clear();
        for &column in booleans {
            self.boolean[column.index()] = true;
            self.heap.insert(column, &self.activity);
        }
        self.inputs.clear();
        self.inputs.extend_from_slice(inputs);
        for &id in constraints {
            self.constraints[id].relevant = self.check;
            self.enqueue(ConstraintId(id as u32));
        }
    }

    /// Goes back to what holds in every model.
    pub(crate) fn reset(&mut self) {
        self.backtrack(0);
    }

    /// Looks for a model of everything and the assumptions, which are taken one at a time, each with all its
    /// consequences. `accept` is asked now and then whether a point of the present box will do. Ends after
    /// `patience` contractions, if that is given.
    pub(crate) fn solve(
        &mut self,
        assumptions: &[Bound],
        budget: &Budget,
        patience: Option<u64>,
        accept: &mut dyn FnMut(&Search) -> bool,
    ) -> Verdict {
        self.budget = budget.clone();
        let result = self.run(assumptions, patience, accept);
        self.budget = Budget::unlimited();
        result.unwrap_or_else(Verdict::Unknown)
    }

    fn run(
        &mut self,
        assumptions: &[Bound],
        patience: Option<u64>,
        accept: &mut dyn FnMut(&Search) -> bool,
    ) -> Result<Verdict, Interrupt> {
        let limit = self.budget.conflicts.map(|limit| self.counters.conflicts + limit);
        let last = patience.map(|patience| self.contractions + patience);
        let (mut runs, mut splits) = (0, 0);
        let mut restart = self.counters.conflicts + RUN;
        loop {
            if self.contradiction {
                return Ok(Verdict::Unsat(Failure::default()));
            }
            if let Some(conflict) = self.propagate()? {
                self.counters.conflicts += 1;
                if !self.learn(&conflict) {
                    self.contradiction = true;
                    continue;
                }
                if limit.is_some_and(|limit| self.counters.conflicts >= limit) {
                    return Err(Interrupt::Conflicts);
                }
                if let Some(why) = self.budget.exhausted() {
                    return Err(why);
                }
                continue;
            }
            if last.is_some_and(|last| self.contractions > last) {
                return Ok(Verdict::Impatient);
            }
            if self.counters.conflicts >= restart {
                runs += 1;
                restart = self.counters.conflicts + RUN * luby(runs);
                self.restart();
                continue;
            }
            let level = self.trail.level() as usize;
            if let Some(&assumption) = assumptions.get(level) {
                if self.trail.holds(assumption) {
                    self.trail.new_level();
                } else if self.trail.fails(assumption) {
                    return Ok(Verdict::Unsat(self.failure(assumptions)));
                } else {
                    self.decide(assumption);
                }
                continue;
            }
            if let Some(bound) = self.next_boolean() {
                self.counters.decisions += 1;
                self.decide(bound);
                continue;
            }
            if splits % LOOK == 0 && accept(self) {
                return Ok(Verdict::Sat);
            }
            splits += 1;
            let Some(bound) = self.next_split() else { return Ok(Verdict::Sat) };
            self.counters.decisions += 1;
            self.decide(bound);
        }
    }

    /// Learns from a conflict and goes back; false if it is one of facts.
    fn learn(&mut self, conflict: &[Bound]) -> bool {
        let Some(learnt) = self.analyse(conflict) else { return false };
        if let Some(log) = &mut self.log {
            log.push(learnt.literals.clone());
        }
        self.backtrack(learnt.level);
        self.increment /= 0.95;
        self.clauses.decay();
        let first = learnt.literals[0];
        if learnt.literals.len() == 1 {
            self.trail.push(first, Reason::Fact);
        } else {
            let id = self.clauses.add(learnt.literals, Some(learnt.levels));
            self.trail.push(first, Reason::Clause(id));
        }
        true
    }

    fn restart(&mut self) {
        self.backtrack(0);
        // Facts that came at level 0 are propagated before anything is dropped.
        if self.clauses.learnt() > self.reduce_at && self.next == self.trail.len() && self.queue.is_empty() {
            self.clauses.reduce(&self.trail, true);
            self.reduce_at += self.reduce_at / 10;
        }
    }

    /// Between checks: drops what has become true for ever.
    pub(crate) fn tidy(&mut self) {
        self.backtrack(0);
        match self.propagate() {
            Ok(None) => self.clauses.reduce(&self.trail, false),
            Ok(Some(_)) => self.contradiction = true,
            // There is no budget between checks.
            Err(_) => {}
        }
    }
}

/// The sequence 1, 1, 2, 1, 1, 2, 4, …
fn luby(mut index: u64) -> u64 {
    loop {
        let bits = 64 - index.leading_zeros();
        if index + 1 == 1 << bits {
            return 1 << (bits - 1);
        }
        index -= (1 << (bits - 1)) - 1;
    }
}
